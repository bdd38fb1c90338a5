import { createHmac } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSqlite } from '@sallyport/sql/sqlite'
import { createEvent } from '@sallyport/webhooks/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { execute, start } from '../test/execute.ts'
import { startReferenceServer, type ReferenceServer } from '../test/reference-server.ts'

const secret = 'a-secret-that-is-never-shown'
const admin = { email: 'admin@example.com', password: 'a password of the admin' }

let folder: string
let server: ReferenceServer
let env: Readonly<Record<string, string>>

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sallyport-operations-'))
  env = { SALLYPORT_CONFIG_DIR: join(folder, 'configuration') }
  server = await startReferenceServer({
    DATA_DIR: join(folder, 'data'),
    ADMIN_EMAIL: admin.email,
    ADMIN_PASSWORD: admin.password,
    PROVIDERS: 'github',
    WEBHOOK_SECRET_GITHUB: secret,
  })
  const login = ['login', '--url', server.url, '--email', admin.email]
  expect(await execute(login, { env, stdin: `${admin.password}\n` })).toMatchObject({ code: 0 })
})
afterAll(async () => {
  await server.stop()
  await rm(folder, { recursive: true })
})

/** Delivers a body that the provider cannot read, which the server quarantines. */
async function deliverUnreadable(): Promise<void> {
  const body = '{ "zen": "no hook"'
  const response = await fetch(`${server.url}/webhooks/github`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-github-event': 'star',
      'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
    },
    body,
  })
  expect(await response.json()).toMatchObject({ data: { status: 'quarantined' } })
}

/** Creates a delivery whose events are in one lane. */
function createLaneDelivery(name: string, ids: readonly string[]) {
  const events = ids.map((id) => ({
    ...({
      event: createEvent(id, 0),
      route: 'direct',
      notify: false,
      lane: { name, isOrdered: true },
    } as const),
  }))
  const id = '01890a5d-ac96-774b-bcce-b302099a8057'
  return { id, provider: 'doorbell', receivedAt: 0, headers: {}, body: Uint8Array.of(1), events }
}

describe('the commands of a running server', () => {
  it('replays all deliveries of a filter as a job of the server', async () => {
    const deliver = async (star: number) => {
      const body = JSON.stringify({ action: 'created', starred_at: null, star })
      const signature = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
      const headers = { 'content-type': 'application/json', 'x-github-event': 'star' }
      const sent = { method: 'POST', headers: { ...headers, 'x-hub-signature-256': signature }, body }
      expect((await fetch(`${server.url}/webhooks/github`, sent)).status).toBe(200)
    }
    for (const star of [1, 2, 3]) await deliver(star)
    const filter = ['--provider', 'github', '--kind', 'star.*', '--since', '1h']
    expect(await execute(['replay', ...filter, '--dry-run'], { env })).toMatchObject({
      stdout: 'Matching deliveries: 3\n',
    })
    await expect
      .poll(async () => (await execute(['deliveries', ...filter, '--status', 'published'], { env })).stdout)
      .toContain('3 of 3')
    expect(await execute(['replay', ...filter, '--as-new'], { env })).toMatchObject({
      code: 0,
      stdout: 'done: Deliveries: 3, 3 replayed; events to publish: 3\n',
    })
  })

  it('lists the processes, and counts them by role', async () => {
    await expect
      .poll(async () => (await execute(['processes'], { env })).stdout)
      .toMatch(
        /^roles +status +version +seen +unavailable +notices +process\napi dispatcher drainer gateway +alive .+\n1 of 1\n$/,
      )
    expect((await execute(['status'], { env })).stdout).toMatch(
      /role +alive +dead\napi +1 +0\ndispatcher +1 +0/,
    )
  })

  it('creates, lists and deletes an API key', async () => {
    const created = await execute(['keys', 'create', 'CI', '--scope', 'deliveries:read'], { env })
    expect(created).toMatchObject({ code: 0, stdout: expect.stringMatching(/^sp_\S+\n$/) as string })
    const key = created.stdout.trim()
    const listed = await execute(['keys'], { env })
    expect(listed.stdout).toMatch(
      /^name\s+scopes\s+expires\s+last used\s+id\nCI {2,}deliveries:read\s.*\n1 of 1\n$/,
    )
    expect(listed.stdout).not.toContain(key)
    const withKey = { env: { SALLYPORT_CONFIG_DIR: folder, SALLYPORT_URL: server.url, SALLYPORT_KEY: key } }
    expect(await execute(['deliveries'], withKey)).toMatchObject({ code: 0 })
    expect(await execute(['keys'], withKey)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('403 FORBIDDEN') as string,
    })
    const keys = JSON.parse((await execute(['keys', '--json'], { env })).stdout) as readonly { id: string }[]
    expect(await execute(['keys', 'delete', keys[0]?.id ?? ''], { env })).toMatchObject({ code: 0 })
    expect(await execute(['deliveries'], withKey)).toMatchObject({ code: 1 })
  })

  it('lists deliveries that need attention', async () => {
    await deliverUnreadable()
    const { code, stdout } = await execute(['failures'], { env })
    expect(code).toBe(0)
    expect(stdout).toMatch(/^received\s+provider\s+kind\s+status\s+attempts\s+reason\s+id\n/)
    expect(stdout).toMatch(/github\s+-\s+quarantined\s+0\s+NORMALIZER_FAILED/)
    expect(stdout).toContain('1 of 1')
    expect((await execute(['failures', '--endpoint', 'other'], { env })).stdout).toContain('0 of 0')
  })

  it('fits a table into the terminal', async () => {
    const { code, stdout } = await start(['failures'], { env, columns: 100 }).ended
    expect(code).toBe(0)
    expect(Math.max(...stdout.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(100)
    expect(stdout).toMatch(/…\s+[0-9a-f-]{36}\n/)
  })

  it('lists endpoints and retries events', async () => {
    expect(await execute(['endpoints'], { env })).toMatchObject({
      code: 0,
      stdout: 'provider  name  status  url  id\n0 of 0\n',
    })
    expect(await execute(['retry', '--all'], { env })).toMatchObject({
      code: 0,
      stdout: 'Events that are due now: 0\n',
    })
    expect((await execute(['retry', '--endpoint', 'acme'], { env })).code).toBe(0)
    expect((await execute(['retry'], { env })).code).toBe(2)
    expect((await execute(['retry', 'x', '--all'], { env })).code).toBe(2)
  })

  it('lists the dead letters of a consumer, retries and deletes them', async () => {
    const database = await openSqlite({ path: join(folder, 'data', 'sallyport.db') })
    try {
      const handlers = () => Promise.reject(new RangeError('secret'))
      const consumer = database.consumer({ name: 'builds', handlers, attempts: 1 })
      await consumer.start()
      const events = ['a', 'b'].map((id) => createEvent(id, 0, { subject: id }))
      await database.bus().publish(events, new AbortController().signal)
      const store = database.consumers()
      await expect.poll(() => store.countDeadLetters('builds'), { timeout: 10_000 }).toBeGreaterThanOrEqual(2)
      await consumer.stop()
      const [letter] = await store.deadLetters({ consumer: 'builds', limit: 1 })
      const [list, letters, status] = await Promise.all(
        [['consumers'], ['consumers', 'dead-letters', 'builds'], ['status']].map((words) =>
          execute(words, { env }),
        ),
      )
      expect(list?.stdout).toMatch(/builds .*\n1 of 1\n$/)
      expect(letters?.stdout).toMatch(/doorbell\/bell\.rung .* RangeError/)
      expect(status?.stdout).toMatch(/consumers_dead +[2-9]/)
      const change = async (...words: readonly string[]) =>
        (await execute(['consumers', ...words], { env })).stdout
      expect(await change('discard', 'builds', String(letter?.sequence))).toBe(
        `Deleted ${letter?.sequence}\n`,
      )
      expect(await change('retry', 'builds')).toMatch(/^Dead letters that are retried: [1-9]/)
      expect(await change('delete', 'builds')).toBe('Deleted builds\n')
      expect((await execute(['consumers', 'retries', 'builds'], { env })).stderr).toContain('no consumer')
    } finally {
      await database.close()
    }
  })

  it('lists lanes, and pauses, resumes and repairs them', async () => {
    const database = await openSqlite({ path: join(folder, 'data', 'sallyport.db') })
    try {
      await database.inbox().record(createLaneDelivery('a/b', ['l:1', 'l:2', 'l:3']))
      const run = (...words: readonly string[]) => execute(['lanes', ...words], { env })
      const print = async (...words: readonly string[]) => (await run(...words)).stdout
      expect(await print()).toMatch(/waiting +3 +0 .* a\/b\nLanes: 1\n$/)
      expect(await print('pause', 'a/b')).toBe('Paused a/b\n')
      expect(await print('list', '--state', 'paused', '--order', 'busiest')).toMatch(/paused .* a\/b\n/)
      expect(await print('skip', 'a/b')).toBe('Skipped l:1\n')
      expect(await print('show', 'a/b')).toContain('first event: l:2\n')
      expect(JSON.parse(await print('show', 'a/b', '--json'))).toMatchObject({ state: 'paused', events: 2 })
      expect(await print('retry', 'a/b')).toBe('The first event is due now\n')
      expect((await execute(['status'], { env })).stdout).toMatch(/lanes_paused +1/)
      expect(await print('cancel', 'a/b')).toBe('Cancelled events: 2\n')
      expect((await run('skip', 'a/b')).stderr).toContain('no pending event')
      expect(await print('resume', 'a/b')).toBe('Resumed a/b\n')
      expect(await run('show', '..')).toMatchObject({
        ...{ code: 1, stderr: expect.stringContaining('no such lane') as string },
      })
    } finally {
      await database.close()
    }
  })

  it('shows the status again and again until Ctrl-C', async () => {
    const { stdout } = await execute(['status', '--json'], { env })
    expect(JSON.parse(stdout)).toMatchObject({ status: 'ok', counts: { quarantined: 1 } })
    const watching = start(['status', '--watch'], { env })
    await watching.waitFor(/quarantined\s+1\n[\s\S]*quarantined\s+1\n/)
    watching.interrupt()
    expect(await watching.ended).toMatchObject({ code: 0 })
  })

  it('prints deliveries as they arrive', async () => {
    const following = start(['tail', '--since', '1h'], { env })
    await following.waitFor(/github\/- {2}quarantined {2}[0-9a-f-]{36}\n/)
    following.interrupt()
    expect(await following.ended).toMatchObject({ code: 0 })
  })

  it('cancels and erases all that match a filter', async () => {
    expect(await execute(['cancel', '--subject', 'nobody'], { env })).toMatchObject({
      ...{ code: 0, stdout: 'Cancelled events: 0\n' },
    })
    expect((await execute(['cancel'], { env })).code).toBe(2)
    expect(await execute(['erase', '--status', 'quarantined'], { env })).toMatchObject({
      ...{ code: 2, stderr: expect.stringContaining('--yes') as string },
    })
    const erased = 'Erased deliveries: 1; cancelled events: 0; ignored and refused: 0\n'
    expect(await execute(['erase', '--status', 'quarantined', '--yes'], { env })).toMatchObject({
      ...{ code: 0, stdout: erased },
    })
    expect((await execute(['erase', '--yes'], { env })).code).toBe(2)
  })
})
