//===- main.cpp - chic ---------------------------------------------------===//
#include "chi/Launch/Main.h"

int main(int argc, char **argv) { return chi::launch::main(argc, argv); }
