/** A body that is kept, until it is given back. */
export interface KeptBody {
  readonly bytes: Uint8Array
  /** Where it lies; none for one that has its own memory. */
  readonly block: Block | undefined
}

interface Block {
  readonly memory: Uint8Array
  used: number
  bodies: number
}

const largestBlock = 1_048_576
/** So little of a block is lost where the next body does not fit in. */
const bodiesInBlock = 8
/** So much of the limit a block takes at most, so that few bodies have to go when the next one is begun. */
const blocksInLimit = 64

/**
 * Copies of bodies, in blocks of memory that are used again: with memory of its own for each, thousands a second that
 * outlive the collector's first look make it go through the whole heap time and again.
 *
 * A block is free once all its bodies are given back, which comes soon where the oldest go first.
 */
export class BodyBlocks {
  readonly #limit: number
  readonly #blockBytes: number
  readonly #free: Block[] = []
  #open: Block | undefined
  #reserved = 0

  /** @param limit bytes that the owner will reserve at most */
  constructor(limit: number) {
    this.#limit = limit
    this.#blockBytes = Math.min(largestBlock, Math.floor(limit / blocksInLimit))
  }

  /** Bytes that bodies take, with what is lost between them. */
  get reserved(): number {
    return this.#reserved
  }

  keep(body: Uint8Array): KeptBody {
    const { byteLength } = body
    if (byteLength * bodiesInBlock > this.#blockBytes) {
      this.#reserved += byteLength
      this.#letGo()
      return { bytes: new Uint8Array(body), block: undefined }
    }
    const block = this.#withRoomFor(byteLength)
    const bytes = block.memory.subarray(block.used, block.used + byteLength)
    bytes.set(body)
    block.used += byteLength
    block.bodies++
    return { bytes, block }
  }

  /** Its bytes may be overwritten from now on. */
  giveBack({ bytes, block }: KeptBody): void {
    if (block === undefined) {
      this.#reserved -= bytes.byteLength
      return
    }
    block.bodies--
    if (block.bodies === 0 && block !== this.#open) this.#release(block)
  }

  #withRoomFor(byteLength: number): Block {
    const open = this.#open
    if (open !== undefined && open.used + byteLength <= this.#blockBytes) return open
    if (open?.bodies === 0) this.#release(open)
    const next = this.#free.pop() ?? { memory: new Uint8Array(this.#blockBytes), used: 0, bodies: 0 }
    this.#reserved += this.#blockBytes
    return (this.#open = next)
  }

  #release(block: Block): void {
    block.used = 0
    this.#free.push(block)
    this.#reserved -= this.#blockBytes
    this.#letGo()
  }

  /** Keeps no more free blocks than the limit has room for, and the one that is taken before the oldest bodies go. */
  #letGo(): void {
    const room = this.#limit + this.#blockBytes - this.#reserved
    while (this.#free.length > 0 && this.#free.length * this.#blockBytes > room) this.#free.pop()
  }
}
