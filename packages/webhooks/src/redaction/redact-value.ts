import { redacted } from '../schemes/redact.ts'
import type { Paths, Place } from './paths.ts'

/** Deeper values are replaced whole. A parsed body has at most 100 levels. */
const maxDepth = 100
const maxRemoved = 1000

/** Redacts the values of one delivery. */
export interface ValueRedactor {
  /** Copies a value without the values at paths. A part of an earlier value is redacted as in that value, too. */
  readonly redact: (value: unknown) => unknown
  /** Removes a value that is no part of the body. */
  readonly remove: (value: unknown) => typeof redacted
  /** Whether a text contains a value that was removed, or may contain one. */
  readonly contains: (text: string) => boolean
}

export function createValueRedactor(paths: Paths): ValueRedactor {
  const copies = new WeakMap<object, object>()
  const removed = new Set<string>()
  let isFull = false

  function remove(value: unknown, depth = 0): typeof redacted {
    if (removed.size >= maxRemoved || depth > maxDepth) isFull = true
    else if (typeof value === 'string' || typeof value === 'number') {
      if (value !== '' && value !== redacted) removed.add(String(value))
    } else if (typeof value === 'object' && value !== null)
      for (const member of Object.values(value)) remove(member, depth + 1)
    return redacted
  }

  function copy(value: unknown, place: Place, depth: number): unknown {
    if (paths.matches(place)) return remove(value)
    if (typeof value !== 'object' || value === null) return value
    if (depth > maxDepth) return remove(value)
    const source = copies.get(value) ?? value
    if (place.length === 0 || writesItself(source)) return source
    const result = Array.isArray(source)
      ? source.map((member, index) => copy(member, paths.step(place, String(index)), depth + 1))
      : Object.fromEntries(
          Object.entries(source).map(([name, member]) => [
            name,
            copy(member, paths.step(place, name), depth + 1),
          ]),
        )
    copies.set(value, result)
    return result
  }

  return {
    redact: (value) => copy(value, paths.start, 0),
    remove: (value) => remove(value),
    contains: (text) => isFull || [...removed].some((value) => isIn(text, value)),
  }
}

/** A date, for example. A payload can have a member with this name. */
const writesItself = (value: object): boolean => 'toJSON' in value && typeof value.toJSON === 'function'

/** A short value is in many texts by chance. */
const minPartLength = 4

const isIn = (text: string, value: string): boolean =>
  value.length < minPartLength ? text === value : text.includes(value)
