import { joinedBytes } from './crypto/bytes.ts'

/** Chunks of this size are kept as they are; what surrounds a smaller one would take more memory than it does. */
const keptBytes = 1024
const largestBlock = 64 * 1024

/**
 * Gathers the bytes of a body, in memory of about their number whatever the chunks that they come in.
 *
 * A class: one is made for every delivery, and closures over all of this take longer to make.
 */
export class BodyCollector {
  readonly #parts: Uint8Array[] = []
  #length = 0
  #block: Uint8Array | undefined
  #used = 0

  get length(): number {
    return this.#length
  }

  push(chunk: Uint8Array): void {
    this.#length += chunk.byteLength
    if (chunk.byteLength >= keptBytes) {
      this.#seal()
      this.#parts.push(chunk)
      return
    }
    if (this.#block === undefined || this.#used + chunk.byteLength > this.#block.byteLength) {
      this.#seal()
      this.#block = new Uint8Array(Math.min(largestBlock, Math.max(keptBytes, this.#length)))
    }
    this.#block.set(chunk, this.#used)
    this.#used += chunk.byteLength
  }

  /** All of it, in one piece. */
  bytes(): Uint8Array {
    this.#seal()
    return joinedBytes(this.#parts)
  }

  /** Puts the open block with the others, at its real size. */
  #seal(): void {
    if (this.#block === undefined) return
    this.#parts.push(this.#block.slice(0, this.#used))
    this.#block = undefined
    this.#used = 0
  }
}
