# status.sh STATUS ARGUMENT...: `chic run --arch=cuda` ends with it.
expected=$1
shift
chic run --arch=cuda "$@" 2>&1
test $? = "$expected"
