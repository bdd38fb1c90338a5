import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { PostgresConnectionError } from './errors.ts'
import type { SharedClient } from './shared-pool.ts'
import { topics, type Topic } from './topics.ts'
import type { Session } from './wake-ups.ts'

export interface ListeningOptions {
  /** A connection that nobody else uses. */
  readonly connect: () => Promise<SharedClient>
  /** Databases of the same server hear nothing of each other; schemas do. */
  readonly schema: string | undefined
  readonly timeoutMs: number
}

const channel = 'sallyport'
const probe = 'probe'

/**
 * Listens on a connection, and tells others over it.
 *
 * It hears itself first, or rejects: behind a pooler that lends connections by transaction, it would wait in vain.
 * Commits of this session do not wait for the disk: a message holds a lock that all others who send one wait for.
 */
export async function openListening(
  { connect, schema = '', timeoutMs }: ListeningOptions,
  hear: (topic: Topic) => void,
): Promise<Session> {
  const client = await connect()
  const me = randomUUID()
  const run = (text: string, values: unknown[] = []) =>
    client.query({ text, values, query_timeout: timeoutMs })
  let noticeProbe = () => {}
  const probed = new Promise<void>((resolve) => (noticeProbe = resolve))
  const ended = new Promise<void>((resolve) => {
    client.on('error', () => {
      resolve()
    })
    client.on('end', resolve)
  })
  client.on('notification', ({ payload = '' }) => {
    const [sender, topic = '', ...place] = payload.split(' ')
    if (place.join(' ') !== schema) return
    if (sender === me) {
      if (topic === probe) noticeProbe()
      return
    }
    // Others probe too, and whoever may connect to the database may say anything.
    const known = topics.find((one) => one === topic)
    if (known !== undefined) hear(known)
  })

  const send = (messages: readonly string[]) =>
    run(`select pg_notify('${channel}', payload) from unnest($1::text[]) as payload`, [
      messages.map((message) => `${me} ${message} ${schema}`),
    ])
  try {
    await run('set synchronous_commit = off')
    await run(`listen ${channel}`)
    await send([probe])
    const patience = new AbortController()
    const late = sleep(timeoutMs, 'late', { signal: patience.signal, ref: false }).catch(() => undefined)
    const outcome = await Promise.race([probed, late, ended.then(() => 'ended')])
    patience.abort()
    if (outcome === 'late') throw deaf()
    if (outcome === 'ended') throw new Error('The connection ended before anything was heard on it')
  } catch (error) {
    client.release(true)
    throw error
  }
  return {
    ended,
    send,
    close() {
      client.release(true)
    },
  }
}

const deaf = () =>
  new PostgresConnectionError(
    'NO_NOTIFICATIONS',
    'What is notified is not heard, as behind a pooler that lends connections by transaction: work is found by ' +
      'polling. Set wakeUps to false, or connect past the pooler',
  )
