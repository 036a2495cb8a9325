#!/bin/sh
# Stands for an executable of chic build: the same flags, and reports.
if [ "$1" = --params-json ]; then
  cat <<'EOF'
[{"name": "x", "type": "f32", "default": 1.0, "doc": "a place", "range": [-100, 100]},
 {"name": "n", "type": "i32", "default": 1, "doc": "", "range": [1, 4096]},
 {"name": "mode", "type": "str", "default": "good", "doc": "",
  "choices": ["good", "wrong", "absent", "crash", "nan", "inf", "slow"]}]
EOF
  exit
fi
if [ "$1" = --help ]; then
  echo "usage: probe.sh"
  exit
fi
x=1 n=1 mode=good seed=0
for word; do
  case $word in
  --x=*) x=${word#*=} ;;
  --n=*) n=${word#*=} ;;
  --mode=*) mode=${word#*=} ;;
  --seed=*) seed=${word#*=} ;;
  esac
done
echo "x is $x"
case $mode in
wrong) echo "probe.chi:3:5: error: x is wrong" >&2; exit 1 ;;
absent) echo "chic: 'input': No such file or directory" >&2; exit 2 ;;
crash) kill -SEGV $$ ;;
inf) echo '{"report": {"loss": "inf", "steps": "-inf"}}' >>"$CHI_REPORT"; exit ;;
nan) echo '{"report": {"loss": "nan"}}' >>"$CHI_REPORT"; exit ;;
slow) sleep 0.05 ;;
esac
echo "{\"report\": {\"loss\": 0.5, \"steps\": $n}}" >>"$CHI_REPORT"
echo "{\"report\": {\"loss\": $x}}" >>"$CHI_REPORT"
