import { checkIntegers, integerOption } from '@sallyport/internal/options'
import { readRow } from '@sallyport/internal/destination-row'
import type { ClaimedLane, CompleteInbox, DestinationBacklog, Lane, LaneSettlement } from '../ports/ports.ts'
import { estimateBytes, toClaimedWork } from './claimed-work.ts'
import type { Task } from './inbox-store.ts'
import { OpenLane, type LaneLease } from './open-lane.ts'
import { Schedule } from './schedule.ts'

export type LaneClaimOptions = Parameters<NonNullable<CompleteInbox['claimLanes']>>[0]

interface TakenLane {
  readonly lane: OpenLane
  readonly tasks: readonly Task[]
}

/** How long a lane stays free for the operator who waits for it, in milliseconds. */
const reservedMs = 5000

/** The lanes of an inbox and their leases. A lane is forgotten when its last event ended. */
export class InboxLanes {
  readonly #lanes = new Map<string, OpenLane>()
  /** By the times at which lanes can be claimed. */
  readonly #schedule = new Schedule<OpenLane>()
  #turn = 0
  #lastClaimAt = Infinity

  listTasks(): Task[] {
    return [...this.#lanes.values()].flatMap(({ tasks }) => tasks)
  }

  countBacklogs(): DestinationBacklog[] {
    const byName = Map.groupBy(this.#lanes.values(), ({ name }) => readRow(name).destination)
    return [...byName].flatMap(([name, lanes]) => {
      const tasks = lanes.flatMap((lane) => lane.tasks)
      if (name === undefined || tasks.length === 0) return []
      return { name, events: tasks.length, oldestAt: Math.min(...tasks.map(({ since }) => since)) }
    })
  }

  /** Adds an open task to its lane, or moves it. */
  add(task: Task, { name }: Lane): OpenLane {
    const lane = this.#lanes.get(name) ?? new OpenLane(name)
    this.#lanes.set(name, lane)
    lane.set(task)
    this.#place(lane)
    return lane
  }

  /** Adds an open task. A lane that is new gets the lease. @returns whether the lane has the lease */
  addLeased(task: Task, { name, isOrdered }: Lane, lease: LaneLease): boolean {
    const isNew = !this.#lanes.has(name)
    const lane = this.add(task, { name, isOrdered })
    if (isNew) this.#hold(lane, lease)
    return lane.lease?.token === lease.token
  }

  delete(task: Task, { name }: Lane): void {
    const lane = this.#lanes.get(name)
    if (lane === undefined) return
    lane.delete(task)
    this.#place(lane)
  }

  /** Returns the lane when the token is that of its lease. */
  find(name: string, token: string): OpenLane | undefined {
    const lane = this.#lanes.get(name)
    return lane?.lease?.token === token ? lane : undefined
  }

  isLeased(name: string, at: number): boolean {
    const lease = this.#lanes.get(name)?.lease
    return lease !== undefined && lease.endsAt > at
  }

  /** Lets an operator change a lane that is under a lease: once it ends, the lane is not claimed for a while. */
  reserve(name: string, at: number): void {
    const lane = this.#lanes.get(name)
    if (lane && this.isLeased(name, at)) lane.reservedUntil = at + reservedMs
  }

  renew(name: string, lease: LaneLease): boolean {
    const lane = this.find(name, lease.token)
    if (lane) this.#hold(lane, lease)
    return lane !== undefined
  }

  /** Ends or keeps the lease of a lane after its settlement. @returns whether the lane has work that is due */
  end(lane: OpenLane, { releases, afterMs = 0, pauses = false }: LaneSettlement, at: number): boolean {
    if (pauses) lane.isPaused = true
    if (releases) {
      lane.lease = undefined
      lane.servedAt = at + afterMs
    }
    this.#place(lane)
    return !lane.isPaused && (lane.dueAt ?? Infinity) <= at
  }

  makeDue({ prefix, limit }: { readonly prefix: string; readonly limit: number }, at: number): number {
    integerOption('limit', limit, 1)
    const waiting = [...this.#lanes.values()].filter(
      ({ name, lease, servedAt }) => name.startsWith(prefix) && lease === undefined && servedAt > at,
    )
    for (const lane of waiting.slice(0, limit)) {
      lane.servedAt = at
      this.#place(lane)
    }
    return Math.min(waiting.length, limit)
  }

  /** Leases the lanes that wait longest, each with its next tasks. */
  claim(options: LaneClaimOptions, at: number, token: string): ClaimedLane[] {
    const { limit, events, leaseMs, maxBytes = Infinity } = options
    checkIntegers({ limit, leaseMs }, 0)
    integerOption('events', events, 1)
    if (at < this.#lastClaimAt) this.#advance(options, at)
    this.#lastClaimAt = at
    const taken = this.#take(limit, events, maxBytes, at)
    for (const { lane } of taken) this.#hold(lane, { token, endsAt: at + leaseMs })
    return taken.map(({ lane: { name }, tasks }) => ({
      name,
      lease: token,
      works: tasks.flatMap((task) => toClaimedWork(task, token, options.maxBytes !== undefined)),
    }))
  }

  #take(limit: number, events: number, maxBytes: number, at: number): readonly TakenLane[] {
    const taken: TakenLane[] = []
    let bytes = 0
    const fits = (task: Task) => (bytes += estimateBytes(task)) <= maxBytes
    while (taken.length < limit && bytes <= maxBytes) {
      const first = this.#schedule.peek()
      if (first === undefined || first.at > at) break
      const lane = first.entry
      const due = lane.listDue(events, at)
      const end = due.findIndex((task, index) => !fits(task) && taken.length + index > 0)
      if (end === 0) break
      lane.lease = undefined
      if (due.length > 0) {
        taken.push({ lane, tasks: end < 0 ? due : due.slice(0, end) })
        this.#unplace(lane)
      } else this.#place(lane)
    }
    return taken
  }

  /** After the clock was set back: makes tasks due that are due too late, and shortens the leases of their lanes. */
  #advance({ leaseMs, longestDelayMs = Infinity }: LaneClaimOptions, at: number): void {
    const latest = at + longestDelayMs
    for (const lane of this.#lanes.values()) {
      const late = lane.tasks.filter(({ since, dueAt }) => since > at || dueAt > latest)
      const { token, endsAt = -Infinity } = lane.lease ?? {}
      if (token !== undefined && (late.length > 0 || endsAt > latest))
        lane.lease = { token, endsAt: Math.min(endsAt, at + leaseMs) }
      lane.servedAt = Math.min(lane.servedAt, at)
      lane.reservedUntil = Math.min(lane.reservedUntil, at)
      for (const task of late) {
        task.since = Math.min(task.since, at)
        task.dueAt = Math.min(task.dueAt, at)
        lane.set(task)
      }
      this.#place(lane)
    }
  }

  #hold(lane: OpenLane, lease: LaneLease): void {
    lane.lease = lease
    this.#place(lane)
  }

  /** Schedules a lane after a change. */
  #place(lane: OpenLane): void {
    const at = lane.isPaused ? undefined : (lane.lease?.endsAt ?? lane.dueAt)
    if (at === undefined) {
      this.#unplace(lane)
      if (!lane.isPaused) this.#lanes.delete(lane.name)
    } else if (at !== lane.at) {
      lane.at = at
      this.#schedule.set(lane, at, this.#turn++)
    }
  }

  #unplace(lane: OpenLane): void {
    lane.at = undefined
    this.#schedule.delete(lane)
  }
}
