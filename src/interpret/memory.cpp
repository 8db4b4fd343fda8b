#include "interpret/memory.h"

#include <cstring>

#include "interpret/meaning.h"

namespace vyre::interpret {
namespace {

using meaning::f32;
using meaning::f64;
using meaning::u32;

// How an element is kept: as its cell, except that a bool is one byte.
template <class Cell>
struct Plain {
  using Value = Cell;
  static Cell get(const std::byte* bytes, std::size_t element) {
    Cell value;
    std::memcpy(&value, bytes + element * sizeof(Cell), sizeof(Cell));
    return value;
  }
  static void put(std::byte* bytes, std::size_t element, Cell value) {
    std::memcpy(bytes + element * sizeof(Cell), &value, sizeof(Cell));
  }
};
struct Bool {
  using Value = u32;
  static u32 get(const std::byte* bytes, std::size_t element) {
    return bytes[element] == std::byte{0} ? 0 : 1;
  }
  static void put(std::byte* bytes, std::size_t element, u32 value) {
    bytes[element] = static_cast<std::byte>(value);
  }
};

template <Touch touch>
std::optional<Trouble> note(Memory& memory, u32 position, u32 element, Epoch epoch) {
  const bool needs_value = memory.is_shared() && touch != Touch::write;
  if (needs_value && !memory.shadow.is_written(element, epoch)) {
    return Trouble{Trouble::Kind::uninitialised, touch, position, element};
  }
  if (!memory.shadow.note(touch, element, position, epoch)) {
    return Trouble{Trouble::Kind::race, touch, position, element};
  }
  return std::nullopt;
}

// Calls move(position, first element) for each active invocation whose access is allowed.
template <Touch touch, class Move>
std::optional<Trouble> each(const Access& access, Memory& memory, const Frame& frame, Epoch epoch,
                            Move move) {
  const u32* mask = frame.cells<const u32>(frame.active.mask);
  const u32* index = frame.cells<const u32>(access.index);
  const bool noted = memory.shadow.is_on();
  for (u32 i = frame.active.first; i < frame.active.last; ++i) {
    if (mask[i] == 0) continue;
    const u32 element = index[i];
    if (std::uint64_t{element} + access.lanes > memory.count) {
      return Trouble{Trouble::Kind::out_of_bounds, touch, i, element};
    }
    for (u32 lane = 0; noted && lane < access.lanes; ++lane) {
      if (auto trouble = note<touch>(memory, i, element + lane, epoch)) return trouble;
    }
    move(i, element);
  }
  return std::nullopt;
}

// Calls visit.template operator()<How>() for the way the element type is kept.
template <class Visit>
std::optional<Trouble> by_element(Scalar element, Visit visit) {
  switch (element) {
    case Scalar::boolean:
      return visit.template operator()<Bool>();
    case Scalar::f32:
      return visit.template operator()<Plain<f32>>();
    case Scalar::f64:
      return visit.template operator()<Plain<f64>>();
    default:
      return visit.template operator()<Plain<u32>>();
  }
}

}  // namespace

std::optional<Trouble> load(const Access& access, Memory& memory, const Frame& frame, Epoch epoch) {
  return by_element(memory.buffer->element, [&]<class How>() {
    const std::byte* bytes = memory.bytes.data();
    return each<Touch::read>(access, memory, frame, epoch, [&](u32 i, std::size_t element) {
      for (u32 lane = 0; lane < access.lanes; ++lane) {
        frame.cells<typename How::Value>(access.value, lane)[i] = How::get(bytes, element + lane);
      }
    });
  });
}

std::optional<Trouble> store(const Access& access, Memory& memory, const Frame& frame,
                             Epoch epoch) {
  return by_element(memory.buffer->element, [&]<class How>() {
    std::byte* bytes = memory.bytes.data();
    return each<Touch::write>(access, memory, frame, epoch, [&](u32 i, std::size_t element) {
      for (u32 lane = 0; lane < access.lanes; ++lane) {
        How::put(bytes, element + lane, frame.cells<typename How::Value>(access.value, lane)[i]);
      }
    });
  });
}

// u32 and i32 wrap alike.
std::optional<Trouble> atomic_add(const Access& access, Memory& memory, const Frame& frame,
                                  Epoch epoch) {
  std::byte* bytes = memory.bytes.data();
  const u32* value = frame.cells<const u32>(access.value);
  return each<Touch::atomic>(access, memory, frame, epoch, [&](u32 i, std::size_t element) {
    Plain<u32>::put(bytes, element, meaning::add(Plain<u32>::get(bytes, element), value[i]));
  });
}

}  // namespace vyre::interpret
