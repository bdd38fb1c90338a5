import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { PostgresConnectionError } from './errors.ts'
import type { SharedClient } from './shared-pool.ts'
import { topics, type Session, type Topic } from './wake-ups.ts'

export interface ListeningOptions {
  /** Opens a connection for exclusive use. */
  readonly connect: () => Promise<SharedClient>
  /** Channels are per database, so the messages contain the schema. */
  readonly schema: string | undefined
  readonly timeoutMs: number
}

const channel = 'sallyport'
const probe = 'probe'

/**
 * Opens a session that listens on a connection and notifies other processes over it.
 *
 * The session first receives a message of itself, or rejects: a pooler in transaction mode delivers no messages. Commits
 * of this session do not wait for the disk, because sending a message holds a lock that all other senders need.
 */
export async function openListening(
  { connect, schema = '', timeoutMs }: ListeningOptions,
  onTopic: (topic: Topic) => void,
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
    // Other processes send probes too, and any client of the database may send any message.
    const known = topics.find((one) => one === topic)
    if (known !== undefined) onTopic(known)
  })

  const send = (messages: readonly string[]) =>
    run(`select pg_notify('${channel}', payload) from unnest($1::text[]) as payload`, [
      messages.map((message) => `${me} ${message} ${schema}`),
    ])
  try {
    await run('set synchronous_commit = off')
    await run(`listen ${channel}`)
    await send([probe])
    const timeout = new AbortController()
    const late = sleep(timeoutMs, 'late', { signal: timeout.signal, ref: false }).catch(() => undefined)
    const outcome = await Promise.race([probed, late, ended.then(() => 'ended')])
    timeout.abort()
    if (outcome === 'late') throw noNotifications()
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

const noNotifications = () =>
  new PostgresConnectionError(
    'NO_NOTIFICATIONS',
    'Notifications do not arrive, as with a pooler in transaction mode: work is found by polling. ' +
      'Set wakeUps to false, or use a direct connection',
  )
