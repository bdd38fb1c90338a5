import { pause } from './pause.ts'
import type { Topic } from './topics.ts'

/** The topics that other processes must still be notified of. */
export class PendingTopics {
  readonly #topics = new Set<Topic>()
  #wake = () => {}

  add(topic: Topic): void {
    this.#topics.add(topic)
    this.#wake()
  }

  /** Resolves when a topic is pending, after the time, or when the signal is aborted. */
  async some(milliseconds: number, signal: AbortSignal): Promise<void> {
    if (this.#topics.size > 0) return
    await pause(milliseconds, signal, (end) => {
      this.#wake = end
    })
  }

  /** Sends the pending topics; after a failure, they are pending again. */
  async send(to: (topics: readonly Topic[]) => Promise<unknown>): Promise<void> {
    const topics = [...this.#topics]
    this.#topics.clear()
    try {
      await to(topics)
    } catch (error) {
      for (const topic of topics) this.#topics.add(topic)
      throw error
    }
  }
}
