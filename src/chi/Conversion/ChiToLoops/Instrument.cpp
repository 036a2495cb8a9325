//===- Instrument.cpp - Accesses that --check=races looks at --------------===//

#include "chi/Conversion/ChiToLoops/TaskLowering.h"
#include "chi/Conversion/Runtime.h"

using namespace mlir;
using namespace chi;
using namespace chi::conv;

/// Tells the run time of an access that chi-instrument-races has marked, before
/// it happens.
void TaskLowering::instrumentAccess(ir::FieldAccessOpInterface access,
                                    const Iteration &iteration) {
  IntegerAttr kind = access.getRaceKindAttr();
  if (!kind || !iteration.number)
    return;
  Emitter emit(builder, access);
  const FieldView &field = viewOf(access.getField());
  Value address =
      emit.at(emit.reinterpret(field.data, emit.ptrType()),
              memoryType(field.type.getScalar()), offsetOf(emit, access));
  Site site;
  site.place = placeOf(access.getLoc());
  site.kind = CHIRT_SITE_CALL;
  if (StringAttr name = access.getFieldNameAttr())
    site.what = name.getValue();
  site.kernel = shape.task.getKernel();
  std::string axes = axesText(shape.task);
  site.axes = axes;
  callRuntime(emit, "chirt_race_access",
              {siteConstant(emit, site), address, emit.toI64(iteration.number),
               emit.i32(kind.getInt())});
}
