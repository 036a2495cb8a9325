//===- Lines.cpp - Source lines of a unit, apart from its code ------------===//
#include "chi/Units/Lines.h"
#include "chirt/chirt.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/Object/ELFObjectFile.h"
#include <cstddef>
#include <cstring>
#include <map>

using namespace mlir;
using namespace chi;
using namespace chi::units;

/// The object's section that holds the table of places.
static constexpr const char *kSitesSection = "chi_sites";

/// The innermost place of the user's text, as conv::placeOf finds it.
static FileLineColRange innermost(Location loc) {
  FileLineColRange found;
  loc->walk([&](Location inner) {
    if (auto call = dyn_cast<CallSiteLoc>(inner)) {
      found = innermost(call.getCallee());
      return WalkResult::interrupt();
    }
    if (auto place = dyn_cast<FileLineColRange>(inner)) {
      found = place;
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return found;
}

std::vector<unsigned> chi::units::numberLines(ModuleOp module) {
  std::vector<unsigned> lines;
  std::map<std::pair<const void *, unsigned>, unsigned> known;
  MLIRContext *context = module.getContext();
  Location nowhere = UnknownLoc::get(context);
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (BlockArgument argument : block.getArguments())
          argument.setLoc(nowhere);
    FileLineColRange place = innermost(op->getLoc());
    if (!place)
      return op->setLoc(nowhere);
    auto [it, isNew] = known.insert(
        {{place.getFilename().getAsOpaquePointer(), place.getStartLine()},
         unsigned(lines.size()) + 1});
    if (isNew)
      lines.push_back(place.getStartLine());
    unsigned height = place.getEndLine() - place.getStartLine();
    op->setLoc(FileLineColRange::get(
        place.getFilename(), it->second, place.getStartColumn(),
        it->second + height, place.getEndColumn()));
  });
  return lines;
}

void chi::units::markSites(ModuleOp module) {
  for (auto global : module.getOps<LLVM::GlobalOp>())
    if (global.getName().starts_with("chi.site")) {
      global.setSection(kSitesSection);
      global.setAlignment(8); // no gaps between them
    }
}

bool chi::units::restoreLines(std::string &object,
                              const std::vector<unsigned> &lines) {
  auto file = llvm::object::ELFObjectFile<llvm::object::ELF64LE>::create(
      llvm::MemoryBufferRef(object, "unit"));
  if (!file) {
    llvm::consumeError(file.takeError());
    return false;
  }
  for (const llvm::object::SectionRef &section : file->sections()) {
    auto name = section.getName();
    if (!name) {
      llvm::consumeError(name.takeError());
      return false;
    }
    if (*name != kSitesSection)
      continue;
    auto contents = section.getContents();
    if (!contents || contents->size() % sizeof(chirt_site) != 0) {
      if (!contents)
        llvm::consumeError(contents.takeError());
      return false;
    }
    char *sites = object.data() + (contents->data() - object.data());
    for (size_t at = offsetof(chirt_site, line); at < contents->size();
         at += sizeof(chirt_site)) {
      int32_t index;
      std::memcpy(&index, sites + at, sizeof(index));
      if (index < 0 || size_t(index) > lines.size())
        return false;
      int32_t line = index ? lines[index - 1] : 0;
      std::memcpy(sites + at, &line, sizeof(line));
    }
  }
  return true;
}
