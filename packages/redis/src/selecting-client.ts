import { Redis as Client, type RedisOptions } from 'ioredis'
import { Refused } from './refused.ts'

/** That there is no such number, in the words of several versions; none but 0 in a cluster; or no right to select it. */
const refusal = /^(?:ERR (?:DB index|invalid DB|SELECT is not allowed)|NOPERM)/

/**
 * Ends a connection whose database was not selected, and tries again: ioredis tells of it as of any error, and goes on
 * in database 0. What is made of it by `duplicate`, as BullMQ does, does so too.
 */
export class SelectingClient extends Client {
  override duplicate(override?: Partial<RedisOptions>): SelectingClient {
    return new SelectingClient({ ...this.options, ...override })
  }

  /** Its answer is there before those that make a connection ready. */
  override async select(...args: Parameters<Client['select']>): Promise<'OK'> {
    const { stream } = this
    try {
      return await super.select(...args)
    } catch (error) {
      const reason = this.#reasonOf(error)
      stream.destroy(reason)
      throw reason
    }
  }

  #reasonOf(error: unknown): Error {
    // When the connection ends for something else, its commands end with that; a server may be full, or still load.
    const { message = '', command } = error as Partial<Error> & {
      readonly command?: { readonly name: string }
    }
    if (command?.name !== 'select' || !refusal.test(message)) return error as Error
    const { host = '', port = '', db = 0 } = this.options
    const place = `${host.includes(':') ? `[${host}]` : host}:${port}`
    return new Refused(
      `Redis at ${place} refuses database ${db}, the number at the end of its address (url): ${message}. ` +
        'Name one that it has, and let its user SELECT',
    )
  }
}
