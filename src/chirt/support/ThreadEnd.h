//===- ThreadEnd.h - What a thread gives back when it ends ------*- C++ -*-===//
#ifndef CHIRT_SUPPORT_THREADEND_H
#define CHIRT_SUPPORT_THREADEND_H

/// The C library's list behind `thread_local` destructors (glibc 2.18). Used
/// directly, so that access to the variable stays a plain one.
extern "C" int __cxa_thread_atexit_impl(void (*drop)(void *), void *object,
                                        void *inLibrary);

namespace chirt {

/// Has `drop(object)` called when the calling thread ends; the library that
/// holds `drop` stays loaded until then. Without memory for that nothing
/// happens: the object is lost with the thread.
inline void atThreadEnd(void (*drop)(void *), void *object) {
  __cxa_thread_atexit_impl(drop, object, reinterpret_cast<void *>(drop));
}

} // namespace chirt
#endif // CHIRT_SUPPORT_THREADEND_H
