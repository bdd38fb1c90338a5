import { once } from 'node:events'
import type { Socket } from 'node:net'

/** A response that was read from a socket. */
export interface WireAnswer {
  readonly status: number
  readonly headers: Headers
  readonly body: string
}

/** Reads responses from a socket. */
export class Wire {
  readonly socket: Socket
  #received = Buffer.alloc(0)
  #ended = false
  readonly #wakes = new Set<() => void>()

  constructor(socket: Socket) {
    this.socket = socket
    const wake = () => {
      for (const one of this.#wakes) one()
    }
    socket.on('data', (chunk: Buffer) => {
      this.#received = Buffer.concat([this.#received, chunk])
      wake()
    })
    socket.on('error', () => undefined)
    socket.on('close', () => {
      this.#ended = true
      wake()
    })
  }

  async #take<T>(attempt: () => T | undefined): Promise<T> {
    for (;;) {
      const taken = attempt()
      if (taken !== undefined) return taken
      if (this.#ended) throw new Error(`The connection ended after: ${this.#received.toString()}`)
      await new Promise<void>((resolve) => this.#wakes.add(resolve))
    }
  }

  /** Reads the next response. A response to HEAD has no body. */
  async answer({ bodiless = false } = {}): Promise<WireAnswer> {
    const head = await this.#take(() => {
      const end = this.#received.indexOf('\r\n\r\n')
      if (end === -1) return undefined
      const found = this.#received.subarray(0, end).toString()
      this.#received = this.#received.subarray(end + 4)
      return found
    })
    const [first = '', ...lines] = head.split('\r\n')
    const headers = new Headers(
      lines.map((line): [string, string] => [
        line.slice(0, line.indexOf(':')),
        line.slice(line.indexOf(':') + 1),
      ]),
    )
    const length = bodiless ? 0 : Number(headers.get('content-length') ?? 0)
    const body = await this.#take(() => {
      if (this.#received.length < length) return undefined
      const found = this.#received.subarray(0, length).toString()
      this.#received = this.#received.subarray(length)
      return found
    })
    return { status: Number(first.split(' ')[1]), headers, body }
  }

  /** Reads the remaining bytes until the connection ends. */
  async rest(): Promise<string> {
    if (!this.#ended) await once(this.socket, 'close')
    return this.#received.toString()
  }
}
