//===- Exchange.cpp - Fields over memory of other libraries, and back -----===//
#include "chirt/dlpack.h"

#include "chirt/failure/Failure.h"
#include "chirt/field/Copies.h"
#include "chirt/field/Making.h"
#include "chirt/field/TensorType.h"
#include "chirt/support/Memory.h"

#include <climits>
#include <cstdlib>

namespace chirt {

namespace {
/// "f32", "bf16", "complex64", "4 x u8"
void appendType(Text &out, DLDataType type) {
  static constexpr const char *kPrefixes[] = {"i",  "u",       "f",   "opaque",
                                              "bf", "complex", "bool"};
  if (type.lanes != 1)
    out << int(type.lanes) << " x ";
  if (type.code == kDLBool && type.bits == 8)
    out << "bool";
  else if (type.code < std::size(kPrefixes))
    out << kPrefixes[type.code] << int(type.bits);
  else
    out << "a type with the code " << int(type.code);
}

/// What a tensor of either version says.
struct Incoming {
  const DLTensor *tensor;
  bool isReadOnly;
  void (*release)(void *owner);
  void *owner; ///< the managed tensor
};

/// A tensor that is checked against what a field of it would be.
struct Importing {
  const chirt_site *site;
  const Incoming &from;
  FieldType type;
  int rank;
  bool isCopied;
  ScalarArray array = {}; ///< of the field

  bool checkType() const;
  bool checkLValue() const;
  bool checkShape();
  bool checkMemory() const;
  bool checkStrides() const;
  chirt_field *copyElements() const;
  chirt_field *make();

  /// The memory of the first element.
  char *data() const {
    return static_cast<char *>(from.tensor->data) + from.tensor->byte_offset;
  }
  int64_t strideOf(int axis) const;
  /// The indices of the next scalar; false behind the last one.
  bool advance(int64_t *index) const;
  bool isEmpty() const;
};

bool Importing::checkType() const {
  DLDataType wanted = tensorTypeOf(type.dtype);
  if (isSameType(from.tensor->dtype, wanted))
    return true;
  Text text;
  appendType(text, from.tensor->dtype);
  return failAt(site, UserFault,
                "import: the tensor holds %s, and the field %s", text.c_str(),
                dtypeName(type.dtype));
}

bool Importing::checkLValue() const {
  switch (from.tensor->device.device_type) {
  case kDLCPU:
  case kDLCUDAHost:
  case kDLROCMHost:
    return true;
  default:
    return failAt(site, UserFault,
                  "import: the tensor lies on a device (DLPack's type %d, "
                  "number %d): copy it to the host before",
                  int(from.tensor->device.device_type),
                  int(from.tensor->device.device_id));
  }
}

/// Fills in the array, too.
bool Importing::checkShape() {
  int axes = rank + type.elementRank;
  Text element;
  appendElementType(element, type.dtype, type.elementRank, type.rows,
                    type.columns);
  if (from.tensor->ndim != axes)
    return failAt(site, UserFault,
                  "import: the tensor has %d axes, but a field of rank %d with "
                  "elements %s has %d",
                  int(from.tensor->ndim), rank, element.c_str(), axes);
  const int inner[] = {type.rows, type.columns};
  for (int k = 0; k < axes; ++k) {
    int64_t extent = from.tensor->shape[k];
    // The compiled loops count in i32 ([Loop.4]).
    if (extent < 0 || extent > INT_MAX)
      return failAt(site, UserFault,
                    "import: axis %d of the tensor has the extent %lld; it "
                    "must be between 0 and %d",
                    k, static_cast<long long>(extent), INT_MAX);
    if (k >= rank && extent != inner[k - rank])
      return failAt(site, UserFault,
                    "import: axis %d of the tensor has the extent %lld, but "
                    "the elements are %s",
                    k, static_cast<long long>(extent), element.c_str());
  }
  return true;
}

bool Importing::isEmpty() const {
  for (int k = 0; k < array.rank; ++k)
    if (array.shape[k] == 0)
      return true;
  return false;
}

bool Importing::checkMemory() const {
  if (isEmpty())
    return true;
  if (!from.tensor->data)
    return failAt(site, UserFault,
                  "import: the tensor has elements, but no memory");
  if (reinterpret_cast<uintptr_t>(data()) % uintptr_t(scalarBytes(type.dtype)))
    return failAt(site, UserFault,
                  "import: the tensor's memory is not aligned for %s",
                  dtypeName(type.dtype));
  if (from.isReadOnly && !isCopied)
    return failAt(site, UserFault,
                  "import: the tensor is read-only, and a field is not: import "
                  "a copy (CHIRT_IMPORT_COPY)");
  return true;
}

int64_t Importing::strideOf(int axis) const {
  if (from.tensor->strides)
    return from.tensor->strides[axis];
  int64_t step = 1;
  for (int k = array.rank; --k > axis;)
    step *= array.shape[k];
  return step;
}

bool Importing::checkStrides() const {
  if (isCopied || isEmpty())
    return true;
  for (int k = 0; k < array.rank; ++k)
    if (array.shape[k] > 1 && strideOf(k) != array.strides[k])
      return failAt(site, UserFault,
                    "import: axis %d of the tensor has the stride %lld, and "
                    "that of the field is %lld: import a copy "
                    "(CHIRT_IMPORT_COPY), or a tensor without gaps in the "
                    "order of the field's axes",
                    k, static_cast<long long>(strideOf(k)),
                    static_cast<long long>(array.strides[k]));
  return true;
}

bool Importing::advance(int64_t *index) const {
  for (int axis = array.rank; axis-- > 0;) {
    if (++index[axis] < array.shape[axis])
      return true;
    index[axis] = 0;
  }
  return false;
}

/// A field of its own memory, with the tensor's elements; null after a failure.
chirt_field *Importing::copyElements() const {
  chirt_field *made = makeField(site, type, rank, array.shape);
  if (!made || made->elements == 0)
    return made;
  char *to = hostCopyToOverwrite(made);
  const int64_t scalar = scalarBytes(type.dtype);
  int64_t index[CHIRT_MAX_RANK + 2] = {};
  do {
    int64_t source = 0, target = 0;
    for (int k = 0; k < array.rank; ++k) {
      source += index[k] * strideOf(k);
      target += index[k] * array.strides[k];
    }
    memcpy(to + target * scalar, data() + source * scalar, size_t(scalar));
  } while (advance(index));
  return made;
}

chirt_field *Importing::make() {
  if (!checkType() || !checkLValue() || !checkShape())
    return nullptr;
  array = arrayOf(type, rank, from.tensor->shape);
  if (!checkMemory() || !checkStrides())
    return nullptr;
  if (!isCopied)
    return makeFieldOver(site, type, rank, array.shape,
                         {data(), from.release, from.owner});
  chirt_field *made = copyElements();
  if (made)
    from.release(from.owner);
  return made;
}

chirt_field *importField(const chirt_site *site, const char *desc, int64_t rank,
                         const Incoming &from, int32_t flags) {
  FieldType type;
  if (!readFieldType(site, desc, rank, type))
    return nullptr;
  return Importing{site, from, type, int(rank),
                   (flags & CHIRT_IMPORT_COPY) != 0}
      .make();
}

/// The tensor of either version is no more.
template <typename Managed> void callDeleter(void *owner) {
  auto *managed = static_cast<Managed *>(owner);
  if (managed->deleter)
    managed->deleter(managed);
}

/// A tensor that goes out, with what it points to.
template <typename Managed> struct Outgoing {
  Managed managed;
  ScalarArray array;

  static void drop(Managed *self) {
    chirt_field_release(static_cast<chirt_field *>(self->manager_ctx));
    free(self);
  }
};

template <typename Managed> Managed *exportField(chirt_field *field) {
  // Whoever gets it may write to it, as long as it likes.
  field->is_lent = 1;
  char *data = hostCopyToUpdate(field);
  void *memory = calloc(1, sizeof(Outgoing<Managed>));
  if (!memory)
    outOfMemory();
  auto *made = static_cast<Outgoing<Managed> *>(memory);
  made->array = arrayOf(field);
  made->managed.manager_ctx = field;
  made->managed.deleter = Outgoing<Managed>::drop;
  DLTensor &tensor = made->managed.dl_tensor;
  tensor.data = data;
  tensor.device = {kDLCPU, 0};
  tensor.ndim = made->array.rank;
  tensor.dtype = tensorTypeOf(field->dtype);
  tensor.shape = made->array.shape;
  tensor.strides = made->array.strides;
  chirt_field_retain(field);
  return &made->managed;
}
} // namespace

} // namespace chirt

using namespace chirt;

chirt_field *chirt_field_import(const chirt_site *site, const char *desc,
                                int64_t rank, DLManagedTensorVersioned *tensor,
                                int32_t flags) {
  chirt_field *made = nullptr;
  // The rest of the struct is that of this version.
  if (tensor->version.major != DLPACK_MAJOR_VERSION)
    failAt(site, UserFault,
           "import: the tensor is described as in version %u.%u of DLPack, "
           "which is not supported: version 1 is",
           tensor->version.major, tensor->version.minor);
  else
    made = importField(site, desc, rank,
                       {&tensor->dl_tensor,
                        (tensor->flags & DLPACK_FLAG_BITMASK_READ_ONLY) != 0,
                        callDeleter<DLManagedTensorVersioned>, tensor},
                       flags);
  if (!made)
    leave();
  return made;
}

chirt_field *chirt_field_import_unversioned(const chirt_site *site,
                                            const char *desc, int64_t rank,
                                            DLManagedTensor *tensor,
                                            int32_t flags) {
  chirt_field *made = importField(site, desc, rank,
                                  {&tensor->dl_tensor, /*isReadOnly=*/false,
                                   callDeleter<DLManagedTensor>, tensor},
                                  flags);
  if (!made)
    leave();
  return made;
}

DLManagedTensorVersioned *chirt_field_export(chirt_field *field) {
  auto *made = exportField<DLManagedTensorVersioned>(field);
  made->version = {DLPACK_MAJOR_VERSION, DLPACK_MINOR_VERSION};
  return made;
}

DLManagedTensor *chirt_field_export_unversioned(chirt_field *field) {
  return exportField<DLManagedTensor>(field);
}
