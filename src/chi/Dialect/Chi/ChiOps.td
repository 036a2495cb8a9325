//===- ChiOps.td - All operations --------------------------*- tablegen -*-===//
include "chi/Dialect/Chi/ChiFieldOps.td"
include "chi/Dialect/Chi/ChiValueOps.td"
include "chi/Dialect/Chi/ChiTaskOps.td"
include "chi/Dialect/Chi/ChiHostOps.td"
