/*===- dlpack.h - Tensors of other libraries: DLPack's C ABI ----------------===
 * The declarations of DLPack 1.1 that the run time uses, with the names and
 * layouts of <dlpack/dlpack.h> (https://github.com/dmlc/dlpack, Apache-2.0).
 * For hosts that have no header of DLPack: include that one first, or this one
 * alone.
 *===----------------------------------------------------------------------===*/
#ifndef DLPACK_DLPACK_H_
#define DLPACK_DLPACK_H_

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define DLPACK_MAJOR_VERSION 1
#define DLPACK_MINOR_VERSION 1

/* Later minor versions add to the structs' ends and to the flags only. */
typedef struct {
  uint32_t major, minor;
} DLPackVersion;

/* Where memory lies. The ABI has it as 32 bits. */
typedef enum {
  kDLCPU = 1,
  kDLCUDA = 2,
  kDLCUDAHost = 3,
  kDLOpenCL = 4,
  kDLVulkan = 7,
  kDLMetal = 8,
  kDLROCM = 10,
  kDLROCMHost = 11,
  kDLCUDAManaged = 13
} DLDeviceType;

typedef struct {
  DLDeviceType device_type;
  int32_t device_id;
} DLDevice;

typedef enum {
  kDLInt = 0,
  kDLUInt = 1,
  kDLFloat = 2,
  kDLOpaqueHandle = 3,
  kDLBfloat = 4,
  kDLComplex = 5,
  kDLBool = 6
} DLDataTypeCode;

/* `bits` of one of `lanes` scalars that are one element. */
typedef struct {
  uint8_t code; /* DLDataTypeCode */
  uint8_t bits;
  uint16_t lanes;
} DLDataType;

/* The first element lies `byte_offset` bytes behind `data`. */
typedef struct {
  void *data;
  DLDevice device;
  int32_t ndim;
  DLDataType dtype;
  int64_t *shape;   /* null if ndim is 0 */
  int64_t *strides; /* in elements; null: row-major without gaps */
  uint64_t byte_offset;
} DLTensor;

/* Up to version 0.8. Whoever takes the tensor calls the deleter once. */
typedef struct DLManagedTensor {
  DLTensor dl_tensor;
  void *manager_ctx;
  void (*deleter)(struct DLManagedTensor *self); /* or null */
} DLManagedTensor;

#define DLPACK_FLAG_BITMASK_READ_ONLY (UINT64_C(1) << 0)
#define DLPACK_FLAG_BITMASK_IS_COPIED (UINT64_C(1) << 1)

/* From version 1.0 on. */
typedef struct DLManagedTensorVersioned {
  DLPackVersion version;
  void *manager_ctx;
  void (*deleter)(struct DLManagedTensorVersioned *self); /* or null */
  uint64_t flags;
  DLTensor dl_tensor;
} DLManagedTensorVersioned;

#ifdef __cplusplus
}
#endif
#endif /* DLPACK_DLPACK_H_ */
