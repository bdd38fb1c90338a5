import { Redis as Client, type RedisOptions } from 'ioredis'
import { ServerRefusal } from './failure.ts'

/** Errors for a database that does not exist, that a cluster does not allow, or that the user may not select. */
const refusal = /^(?:ERR (?:DB index|invalid DB|SELECT is not allowed)|NOPERM)/

/**
 * A client that disconnects and retries if SELECT fails. ioredis only emits an error and continues in database 0. Clients
 * from `duplicate` behave the same way.
 */
export class SelectingClient extends Client {
  override duplicate(override?: Partial<RedisOptions>): SelectingClient {
    return new SelectingClient({ ...this.options, ...override })
  }

  /** Resolves before the replies that make the connection ready. */
  override async select(...args: Parameters<Client['select']>): Promise<'OK'> {
    const { stream } = this
    try {
      return await super.select(...args)
    } catch (error) {
      const reason = this.#toReason(error)
      stream.destroy(reason)
      throw reason
    }
  }

  #toReason(error: unknown): Error {
    // SELECT also fails when the connection ends, or while the server is full or still loading.
    const { message = '', command } = error as Partial<Error> & {
      readonly command?: { readonly name: string }
    }
    if (command?.name !== 'select' || !refusal.test(message)) return error as Error
    const { host = '', port = '', db = 0 } = this.options
    const hostAndPort = `${host.includes(':') ? `[${host}]` : host}:${port}`
    return new ServerRefusal(
      `Redis at ${hostAndPort} refuses database ${db}, the number at the end of the URL (url): ${message}. ` +
        'Use an existing database, and allow the user to SELECT',
    )
  }
}
