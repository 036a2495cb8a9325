//===- Races.h - Accesses of instrumented launches --------*- C++ -*-===//
#ifndef CHIRT_RACES_RACES_H
#define CHIRT_RACES_RACES_H

#include "chirt/launch/Observers.h"

namespace chirt {

/// Watches instrumented launches.
extern const LaunchObserver raceObserver;
/// Launches are watched where `isWanted` says so; null: all.
void watchRacesWhere(bool (*isWanted)(const chirt_task *task));

/// Begins to compare what chirt_race_access reports of a launch over a domain
/// with these `bounds`: the first index and the extent of each axis.
void beginRaces(int32_t rank, const int64_t *bounds);
/// The launch has ended.
void endRaces();

/// Compares an access of the launch with those before it, as chirt_race_access.
/// True if they race: that is the launch's failure, and no other race of it.
bool findRace(const chirt_site *site, const void *address, int64_t iteration,
              int32_t kind);

} // namespace chirt
#endif // CHIRT_RACES_RACES_H
