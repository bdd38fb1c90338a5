import type { Task } from './inbox-store.ts'
import { Schedule } from './schedule.ts'

export interface LaneLease {
  readonly token: string
  readonly endsAt: number
}

/** A lane with open events, under a lease, or paused. */
export class OpenLane {
  readonly name: string
  isPaused = false
  lease: LaneLease | undefined
  /** Until when the lane stays free for an operator once its lease has ended. */
  reservedUntil = -Infinity
  /** When the last lease was released: the lane waits behind those that wait for longer. */
  servedAt = -Infinity
  /** When the lane can be claimed; undefined for a lane that cannot. */
  at: number | undefined
  readonly #tasks = new Schedule<Task>()

  constructor(name: string) {
    this.name = name
  }

  get tasks(): Task[] {
    return this.#tasks.entries()
  }

  /** When the next event is due, without regard to a lease; undefined for a lane without open events. */
  get dueAt(): number | undefined {
    const first = this.#tasks.peek()?.entry
    return first && Math.max(first.dueAt, this.servedAt, this.reservedUntil)
  }

  /** Adds a task, or moves it: ordered tasks keep their place, the others are in the order of their due times. */
  set(task: Task): void {
    this.#tasks.set(task, task.lane?.isOrdered === true ? task.order : task.dueAt, task.order)
  }

  delete(task: Task): void {
    this.#tasks.delete(task)
  }

  /** Returns the next tasks up to the first that is not due. */
  listDue(limit: number, at: number): Task[] {
    const due: Task[] = []
    for (let first = this.#tasks.peek(); first !== undefined; first = this.#tasks.peek()) {
      if (due.length === limit || first.entry.dueAt > at) break
      due.push(first.entry)
      this.#tasks.delete(first.entry)
    }
    for (const task of due) this.set(task)
    return due
  }
}
