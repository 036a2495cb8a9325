# run.sh PREFIX SETTINGS ARGUMENT...: the log of a run on the double that fails
# with 1, with PREFIX.cache.
prefix=$1 settings=$2
shift 2
rm -f "$prefix.log"
CHI_CACHE_DIR=$prefix.cache CUDA_DOUBLE=log=$prefix.log$settings \
    chic run --arch=cuda "$@" 2> /dev/null
test $? = 1 && cat "$prefix.log"
