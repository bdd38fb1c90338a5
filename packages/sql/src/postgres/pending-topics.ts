import { pause } from './pause.ts'
import type { Topic } from './topics.ts'

/** What is still to be told to other processes. */
export class PendingTopics {
  readonly #topics = new Set<Topic>()
  #wake = () => {}

  add(topic: Topic): void {
    this.#topics.add(topic)
    this.#wake()
  }

  /** Resolves as soon as there are some, after a time without any, or when the signal is aborted. */
  async some(milliseconds: number, signal: AbortSignal): Promise<void> {
    if (this.#topics.size > 0) return
    await pause(milliseconds, signal, (end) => {
      this.#wake = end
    })
  }

  /** Sends them; what could not be sent is still pending. */
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
