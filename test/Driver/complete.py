"""complete.py SHELL SCRIPT [LINE]...: what a shell proposes at the end of each line.

Prints `LINE: word word`, sorted; "not installed" if there is no such shell. zsh
only loads the script: its completion needs a terminal.
"""
import shutil
import subprocess
import sys

shell, script, lines = sys.argv[1], sys.argv[2], sys.argv[3:]


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    if done.returncode or done.stderr:
        sys.exit(f"{command}: {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


BASH = r"""
source "$1"
line=$2
read -ra COMP_WORDS <<< "${line//=/ = }"
[[ $line == *' ' ]] && COMP_WORDS+=("")
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_chic
printf '%s\n' "${COMPREPLY[@]}"
"""

if not shutil.which(shell):
    print("valid or not installed")
elif shell == "zsh":
    run("zsh", "-f", "-c", f"autoload -U compinit; compinit -u -D; source {script}; "
        "[[ ${_comps[chic]} == _chic ]] && whence _chic > /dev/null")
    print("valid or not installed")
else:
    for line in lines:
        if shell == "bash":
            words = run("bash", "--norc", "-c", BASH, "bash", script, line).split()
        else:
            words = [each.split("\t")[0] for each in
                     run("fish", "--no-config", "-c", f"source {script}; complete -C '{line}'").splitlines()]
        print(f"{line}: {' '.join(sorted(words))}")
