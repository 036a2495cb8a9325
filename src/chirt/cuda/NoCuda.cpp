//===- NoCuda.cpp - The run time of built programs ------------------------===//
// They run on the CPU alone so far.
#include "chirt/core/Device.h"

const chirt_device *chirt::cudaDevice() { return nullptr; }
