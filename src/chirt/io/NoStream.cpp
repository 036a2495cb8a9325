//===- NoStream.cpp - The stderr that libpng never uses -------------------===//
// The archive of libpng is not compiled for shared libraries: its default error
// functions take the address of libc's stderr, which a shared library cannot
// link. Ours replace them (Png.cpp), so a stand-in will do.

extern "C" {
[[gnu::visibility("hidden")]] void *stderr = nullptr;
}
