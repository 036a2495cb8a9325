//===- NoCuda.cpp - The run time of built programs ------------------------===//
// Those that were built without code for CUDA.
#include "chirt/support/Device.h"

const chirt_device *chirt::cudaDevice() { return nullptr; }
