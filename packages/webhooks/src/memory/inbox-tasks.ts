import { checkIntegers, integerOption } from '@sallyport/internal/options'
import type {
  CancelOptions,
  CancelResult,
  ClaimedLane,
  ClaimedWork,
  CompleteInbox,
  DestinationBacklog,
  ForwardFailure,
  HeldLease,
  LaneResult,
  LaneSettlement,
  PublishedSettlement,
  Settlement,
  Work,
} from '../ports/ports.ts'
import { estimateBytes, toClaimedWork } from './claimed-work.ts'
import { createPendingFilter } from './inbox-filter.ts'
import { InboxLanes, type LaneClaimOptions } from './inbox-lanes.ts'
import { maxFailures, type InboxStore, type Item, type Notification, type Task } from './inbox-store.ts'
import type { LaneLease } from './open-lane.ts'
import { Schedule } from './schedule.ts'

type ClaimOptions = Parameters<CompleteInbox['claim']>[1]
type MakeDueOptions = Parameters<NonNullable<CompleteInbox['makeDue']>>[0]

/** The schedule of the open tasks of an inbox. */
export class InboxTasks {
  readonly #store: InboxStore
  /** By kind and provider, so that a claim serves all providers. */
  readonly #schedules: Readonly<Record<Work, Map<string, Schedule<Task>>>> = {
    publish: new Map(),
    notify: new Map(),
  }
  /** The publications of events with a lane. */
  readonly #lanes = new InboxLanes()
  readonly #lastClaimAt = { publish: Infinity, notify: Infinity }
  readonly #lastProvider = { publish: '', notify: '' }

  constructor(store: InboxStore) {
    this.#store = store
  }

  /** Makes an event due whose task is not scheduled. */
  start(item: Item, dueAt: number): void {
    this.#store.begin(item)
    item.status = 'pending'
    this.#restart(item.publishing, dueAt)
  }

  /** Makes an event due again, whether or not its task is scheduled. */
  restart(item: Item, dueAt: number): void {
    this.#unschedule(item.publishing)
    this.start(item, dueAt)
  }

  /** Starts the notification after the next publication. */
  deferNotification(notification: Notification): void {
    this.#unschedule(notification)
    notification.status = 'waiting'
    notification.attempts = 0
  }

  /** Makes a new event due under a lease: its own or that of its lane. @returns whether the event is under the lease */
  startLeased(item: Item, dueAt: number, lease: LaneLease): boolean {
    const { publishing } = item
    if (publishing.lane !== undefined) return this.#lanes.addLeased(publishing, publishing.lane, lease)
    this.start(item, dueAt)
    this.#lease(publishing, lease.token, lease.endsAt)
    return true
  }

  #lease(task: Task, token: string, endsAt: number): void {
    task.lease = token
    this.#schedule(task, endsAt)
  }

  /** Extends the lease of a lane, or of an event without a lane. @returns whether the lease was valid */
  renew(held: HeldLease, endsAt: number): boolean {
    if ('lane' in held) return this.#lanes.renew(held.lane, { token: held.lease, endsAt })
    const task = this.#store.events.get(held.id)?.getOpenTask('publish')
    if (task?.lease !== held.lease) return false
    this.#lease(task, held.lease, endsAt)
    return true
  }

  claimLanes(options: LaneClaimOptions, at: number, token: string): ClaimedLane[] {
    return this.#lanes.claim(options, at, token)
  }

  countBacklogs(): DestinationBacklog[] {
    return this.#lanes.countBacklogs()
  }

  makeLanesDue(options: { readonly prefix: string; readonly limit: number }, at: number): number {
    return this.#lanes.makeDue(options, at)
  }

  settleLane(settlement: LaneSettlement, at: number): LaneResult {
    const { name, lease, settlements } = settlement
    const lane = this.#lanes.find(name, lease)
    if (lane === undefined) return { isSettled: false, isDue: false }
    for (const { id, outcome } of settlements) {
      const item = this.#findEvent(id, 'pending')
      if (item?.publishing.lane?.name === name) this.#endAttempt(item, item.publishing, outcome, at)
    }
    return { isSettled: true, isDue: this.#lanes.end(lane, settlement, at) }
  }

  /**
   * Claims due tasks: one of each provider in turn, beginning after the provider that was served last. Returns the tasks in
   * the order of their due times.
   */
  claim(kind: Work, options: ClaimOptions, at: number, token: string): ClaimedWork[] {
    const { limit, leaseMs, maxBytes = Infinity } = options
    checkIntegers({ limit, leaseMs }, 0)
    if (at < this.#lastClaimAt[kind]) this.#advance(kind, options, at)
    this.#lastClaimAt[kind] = at

    const tasks: Task[] = []
    let bytes = 0
    for (const task of this.#dueTasks(kind, at)) {
      bytes += estimateBytes(task)
      if (tasks.length === limit || (tasks.length > 0 && bytes > maxBytes)) break
      this.#unschedule(task)
      this.#lastProvider[kind] = task.item.provider
      tasks.push(task)
    }
    tasks.sort((a, b) => a.at - b.at || a.order - b.order)
    return tasks.flatMap((task) => {
      this.#lease(task, token, at + leaseMs)
      return toClaimedWork(task, token, options.maxBytes !== undefined)
    })
  }

  /** Yields the first due task of each provider in turn. The caller has to unschedule a task before it asks for the next. */
  *#dueTasks(kind: Work, at: number): Generator<Task> {
    const providers = [...this.#schedules[kind]].sort(([a], [b]) => (a < b ? -1 : 1))
    const next = providers.findIndex(([provider]) => provider > this.#lastProvider[kind])
    let turn = next < 0 ? providers : [...providers.slice(next), ...providers.slice(0, next)]
    while (turn.length > 0) {
      const served: typeof turn = []
      for (const provider of turn) {
        const first = provider[1].peek()
        if (first === undefined || first.at > at) continue
        yield first.entry
        served.push(provider)
      }
      turn = served
    }
  }

  /**
   * After the clock was set back: makes tasks due that began in the future or wait for longer than the longest delay, and
   * shortens their leases.
   */
  #advance(kind: Work, { leaseMs, longestDelayMs = Infinity }: ClaimOptions, at: number): void {
    const isLate = ({ at: scheduledAt, since }: Task) =>
      scheduledAt > at && (since > at || scheduledAt > at + longestDelayMs)
    for (const task of this.#getTasks(kind).filter(isLate)) {
      const { lease } = task
      this.#unschedule(task)
      task.since = Math.min(task.since, at)
      task.dueAt = Math.min(task.dueAt, at)
      if (lease === undefined) this.#makeDue(task, task.dueAt)
      else this.#lease(task, lease, Math.min(task.at, at + leaseMs))
    }
  }

  /** Settles an attempt to publish; leases its notification under the token if the notification becomes due. */
  settlePublished(
    settlement: Settlement,
    at: number,
    { token, endsAt }: { readonly token: string; readonly endsAt: number },
  ): PublishedSettlement {
    const notification = this.#store.events.get(settlement.id)?.notification
    const wasWaiting = notification?.status === 'waiting'
    const settled = this.settle('publish', settlement, at)
    if (!wasWaiting || notification.status !== 'pending') return { settled }
    this.#unschedule(notification)
    this.#lease(notification, token, endsAt)
    return { settled, notificationLease: token }
  }

  settle(kind: Work, { id, lease, outcome }: Settlement, at: number): boolean {
    if (kind === 'notify' && outcome.status === 'queued')
      throw new TypeError('A notification cannot be queued: settle it as done, retry, dead or released')
    const item = this.#store.events.get(id)
    const task = item?.getOpenTask(kind)
    if (item === undefined || task?.lease !== lease) return false
    this.#endAttempt(item, task, outcome, at)
    return true
  }

  #endAttempt(item: Item, task: Task, outcome: Settlement['outcome'], at: number): void {
    this.#unschedule(task)
    switch (outcome.status) {
      case 'done':
        if (task.kind === 'publish') this.#publish(item, at, outcome.duplicate)
        else this.#endNotification(item, 'sent')
        break
      case 'queued':
        item.status = 'queued'
        task.attempts = 0
        this.#makeDue(task, at + outcome.redeliverAfterMs)
        break
      case 'retry':
        task.addFailure(at, outcome.error, outcome.response)
        task.targets = outcome.targets ?? []
        this.#makeDue(task, at + outcome.afterMs)
        break
      case 'dead':
        task.addFailure(at, outcome.error, outcome.response)
        if (task.kind === 'publish') this.#end(item, 'dead')
        else this.#endNotification(item, 'dead')
        break
      case 'released':
        this.#makeDue(task, outcome.afterMs ? at + outcome.afterMs : task.dueAt)
        break
    }
  }

  forwarded(id: string, at: number, duplicate: boolean): boolean {
    const item = this.#findEvent(id, 'pending', 'queued', 'dead')
    if (item === undefined) return false
    this.#unschedule(item.publishing)
    this.#publish(item, at, duplicate)
    return true
  }

  abandoned({ id, error }: ForwardFailure, at: number): boolean {
    const item = this.#findEvent(id, 'pending', 'queued')
    if (item === undefined) return false
    this.#unschedule(item.publishing)
    item.publishing.addFailure(at, error)
    this.#end(item, 'dead')
    return true
  }

  postponed({ id, error }: ForwardFailure, at: number): boolean {
    const item = this.#findEvent(id, 'pending', 'queued')
    item?.publishing.addFailure(at, error)
    return item !== undefined
  }

  makeDue({ work = 'publish', limit, ...conditions }: MakeDueOptions, at: number): number {
    integerOption('limit', limit, 1)
    const tasks =
      work === 'publish' ? [...this.#getTasks(work), ...this.#lanes.listTasks()] : this.#getTasks(work)
    const retries = tasks.filter(
      ({ attempts, lease, dueAt }) => attempts > 0 && lease === undefined && dueAt > at,
    )
    const matching = work === 'notify' ? retries : this.#filterRetries(retries, conditions)
    const waiting = matching
      .sort((a, b) => (work === 'notify' ? a.dueAt - b.dueAt : 0) || a.order - b.order)
      .slice(0, limit)
    for (const task of waiting) {
      this.#unschedule(task)
      this.#makeDue(task, Math.min(task.since, at))
    }
    return waiting.length
  }

  #filterRetries(
    retries: readonly Task[],
    { route, target, filter = {} }: Omit<MakeDueOptions, 'work' | 'limit'>,
  ): Task[] {
    const isMatching = createPendingFilter(this.#store, filter)
    return retries.filter(
      ({ item, targets }) =>
        item.status === 'pending' &&
        (route === undefined || item.record?.route === route) &&
        (target === undefined || targets.includes(target)) &&
        isMatching(item),
    )
  }

  /** Cancels pending events without a lease, oldest first. */
  cancel({ limit, filter }: CancelOptions, at: number): CancelResult {
    integerOption('limit', limit, 1)
    const isMatching = createPendingFilter(this.#store, filter)
    const pending = [...this.#getTasks('publish'), ...this.#lanes.listTasks()].filter(
      ({ item }) => item.status === 'pending' && isMatching(item),
    )
    const [free, busy] = [
      pending.filter((one) => !this.#isLeased(one, at)),
      pending.filter((one) => this.#isLeased(one, at)),
    ]
    const cancelled = free.sort((a, b) => a.order - b.order).slice(0, limit)
    for (const task of cancelled) this.#cancel(task, at)
    for (const { item } of busy) this.reserveLane(item, at)
    return { events: cancelled.length, busy: Math.min(busy.length, limit) }
  }

  /** Whether an item has work under a lease, or is in the shared queue. */
  isBusy(item: Item, at: number): boolean {
    if (item.status === 'queued') return true
    return [item.getOpenTask('publish'), item.getOpenTask('notify')].some(
      (one) => one && this.#isLeased(one, at),
    )
  }

  /** Lets an operator change the lane of a busy item soon. */
  reserveLane({ publishing: { lane } }: Item, at: number): void {
    if (lane) this.#lanes.reserve(lane.name, at)
  }

  /** Ends the open work on an item that is not busy. Returns whether its event was pending. */
  cancelItem(item: Item, at: number): boolean {
    const publishing = item.getOpenTask('publish')
    const notifying = item.getOpenTask('notify')
    if (notifying) {
      this.#unschedule(notifying)
      this.#endNotification(item, 'dead')
    }
    if (publishing) this.#cancel(publishing, at)
    return publishing !== undefined
  }

  #isLeased({ kind, lane, lease, at: endsAt }: Task, at: number): boolean {
    if (kind === 'publish' && lane !== undefined) return this.#lanes.isLeased(lane.name, at)
    return lease !== undefined && endsAt > at
  }

  #cancel(task: Task, at: number): void {
    this.#unschedule(task)
    // No attempt was made: the count stays.
    task.failures = [...task.failures, { at, error: 'Cancelled by an operator' }].slice(-maxFailures)
    this.#end(task.item, 'dead')
  }

  #findEvent(id: string, ...statuses: readonly Item['status'][]): Item | undefined {
    const item = this.#store.events.get(id)
    // A replay changed the id if it is a former one.
    return item?.key === id && statuses.includes(item.status) ? item : undefined
  }

  #publish(item: Item, at: number, duplicate = false): void {
    item.isDuplicate = duplicate
    const { notification } = item
    if (notification?.status === 'waiting') {
      notification.status = 'pending'
      this.#restart(notification, at)
    }
    this.#end(item, 'published')
    this.#store.publish(item, at)
  }

  #end(item: Item, status: 'published' | 'dead'): void {
    item.status = status
    this.#store.end(item)
  }

  #endNotification(item: Item, status: 'sent' | 'dead'): void {
    if (item.notification) item.notification.status = status
    if (item.getOpenTask('publish')) return
    this.#store.end(item)
    // The event left the log while the notification was pending.
    if (item.status === 'published' && item.publication === undefined) this.#store.deleteRecord(item)
  }

  #restart(task: Task, at: number): void {
    task.attempts = 0
    task.since = at
    this.#makeDue(task, at)
  }

  #makeDue(task: Task, at: number): void {
    task.dueAt = at
    this.#schedule(task, at)
  }

  #getTasks(kind: Work): Task[] {
    return [...this.#schedules[kind].values()].flatMap((one) => one.entries())
  }

  #schedule(task: Task, at: number): void {
    const { kind, item, order, lane } = task
    task.at = at
    if (lane !== undefined) {
      this.#lanes.add(task, lane)
      return
    }
    const schedule = this.#schedules[kind].get(item.provider) ?? new Schedule<Task>()
    this.#schedules[kind].set(item.provider, schedule)
    schedule.set(task, at, order)
  }

  /** Removes a task from the schedule and ends its lease. */
  #unschedule(task: Task): void {
    if (task.lane === undefined) this.#schedules[task.kind].get(task.item.provider)?.delete(task)
    else this.#lanes.delete(task, task.lane)
    task.lease = undefined
  }
}
