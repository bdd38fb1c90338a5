import { integerOption } from '@sallyport/internal/options'
import { callHook } from '@sallyport/internal/promises'
import type { WebhookEvent } from '../ports/event.ts'
import type { Lane } from '../ports/ports.ts'
import { hash } from './hash.ts'

/** Selects the lane of an event by name: 1 to 512 characters. Undefined and an empty text are no lane. */
export type SelectLane = (event: WebhookEvent) => string | undefined

export interface LanesOptions {
  /** Whether the events of a lane are handled in order, so that a failed event delays the later ones. @default true */
  readonly ordered?: boolean
  /**
   * How many events of an unordered lane are handled at the same time, in all processes together. Of more than one, each
   * event has a fixed place by its id.
   *
   * @default 1
   */
  readonly concurrency?: number
  /** Called when the function throws or returns another value: the event has no lane then. */
  readonly onError?: (error: unknown) => unknown
}

const maxLength = 512

/**
 * Creates the `laneOf` of a gateway and of a replayer from a function that names lanes.
 *
 * @throws TypeError for a function that is none, for a concurrency out of range, and for one of ordered lanes
 *
 * @example
 * ```ts
 * import { createLanes } from '@sallyport/webhooks'
 *
 * const laneOf = createLanes((event) => event.source.endpoint ?? event.subject)
 * ```
 */
export function createLanes(
  select: SelectLane,
  { ordered = true, concurrency = 1, onError }: LanesOptions = {},
): (event: WebhookEvent) => Lane | undefined {
  if (typeof select !== 'function') throw new TypeError('lane must be a function')
  integerOption('lanes.concurrency', concurrency, 1)
  if (ordered && concurrency > 1)
    throw new TypeError('lanes.concurrency needs ordered: false: an ordered lane handles one event at a time')
  return (event) => {
    const name = readName(select, event, onError)
    if (name === undefined) return undefined
    return { name: concurrency === 1 ? name : `${name}#${hash(event.id) % concurrency}`, isOrdered: ordered }
  }
}

function readName(
  select: SelectLane,
  event: WebhookEvent,
  onError: LanesOptions['onError'],
): string | undefined {
  try {
    const name: unknown = select(event)
    if (name === undefined || name === '') return undefined
    // The lanes of destinations begin with `>`.
    if (isName(name)) return name.startsWith('>') ? `>${name}` : name
    throw new TypeError(`The lane of an event must be a text of 1 to ${maxLength} characters`)
  } catch (error) {
    // The event is not lost: it is handled without a lane.
    callHook(onError, error)
    return undefined
  }
}

/** A database cannot store the other texts. */
const isName = (name: unknown): name is string =>
  typeof name === 'string' && name.length <= maxLength && name.isWellFormed() && !name.includes('\0')
