import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startInProcess, startProblems } from './in-process.ts'
import { adminToken, sendWorkflowRun, temporaryDirectory } from './server-process.ts'

let directory: Awaited<ReturnType<typeof temporaryDirectory>>
beforeAll(async () => {
  directory = await temporaryDirectory()
})
afterAll(() => directory[Symbol.asyncDispose]())

let scripts = 0
async function command(script: string): Promise<string> {
  const path = join(directory.path, `store-${++scripts}`)
  await writeFile(path, `#!/bin/sh\n${script}\n`)
  await chmod(path, 0o700)
  return path
}

describe('a server whose secrets come from a command', () => {
  const admin = { ADMIN_EMAIL: 'admin@example.com', ADMIN_PASSWORD: 'a password of some length' }
  const production = { NODE_ENV: 'production', LOG_LEVEL: 'silent', JWT_SECRET: 'x'.repeat(32), ...admin }

  it('answers 503 while a secret cannot be leased, and keeps the last good one when it cannot be renewed', async () => {
    const secret = join(directory.path, 'secret')
    await using server = await startInProcess({
      ...production,
      DATA_DIR: join(directory.path, 'data'),
      PROVIDERS: 'codehost',
      SECRETS_COMMAND: await command(`[ "$1" = WEBHOOK_SECRET_CODEHOST ] && cat ${secret}`),
      SECRETS_LEASE_SECONDS: '1',
    })
    const token = await adminToken(server.base, admin)
    const notices = async () => {
      const response = await fetch(`${server.base}/ready`, { headers: { authorization: `Bearer ${token}` } })
      return await response.text()
    }
    const send = async (value: string) => (await sendWorkflowRun(server.base, value, {})).status

    const refused = await fetch(`${server.base}/webhooks/codehost`, { method: 'POST', body: '{}' })
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5'])
    expect(await refused.json()).toMatchObject({ error: { code: 'PROVIDER_UNAVAILABLE' } })
    expect(await notices()).toContain('The secret of codehost is unavailable')

    await writeFile(secret, 'first\n')
    await expect.poll(() => send('first'), { interval: 300 }).toBe(200)
    expect(await notices()).not.toContain('The secret of codehost')

    await writeFile(secret, '')
    await expect.poll(notices, { interval: 300 }).toContain('The secret of codehost cannot be renewed')
    expect(await send('first')).toBe(200)

    await writeFile(secret, 'second\n')
    await expect.poll(() => send('second'), { interval: 300 }).toBe(200)
    expect(await send('first')).toBe(401)
  })

  it('answers 503 for the default list while the store fails, and serves it once the store answers', async () => {
    // Regression: its providers were answered with 404 until a restart, and deliveries were lost.
    const reachable = join(directory.path, 'reachable')
    await using server = await startInProcess({
      ...production,
      DATA_DIR: join(directory.path, 'undecided'),
      SECRETS_COMMAND: await command(
        `[ -e ${reachable} ] || exit 1; [ "$1" = WEBHOOK_SECRET_TASKS ] && exit 1; echo "of $1"`,
      ),
    })
    const list = 'tasks, messaging, deploy, codehost'
    expect(server.output()).toContain(`"waiting":"${list}: SECRETS_COMMAND failed`)
    const refused = await fetch(`${server.base}/webhooks/codehost`, { method: 'POST', body: '{}' })
    expect([refused.status, await refused.json()]).toMatchObject([
      503,
      { error: { code: 'PROVIDER_UNAVAILABLE' } },
    ])
    const headers = { authorization: `Bearer ${await adminToken(server.base, admin)}` }
    const notices = async () => (await fetch(`${server.base}/ready`, { headers })).text()
    const consequence =
      'its deliveries are answered with 503. If it has no secret, list your providers in PROVIDERS'
    expect(await notices()).toContain(`The secret of codehost is unavailable: ${consequence}`)

    await writeFile(reachable, '')
    const send = async () => (await sendWorkflowRun(server.base, 'of WEBHOOK_SECRET_CODEHOST', {})).status
    await expect.poll(send, { interval: 300 }).toBe(200)
    await expect.poll(notices, { interval: 300 }).not.toContain('The secret of messaging')
    expect(await notices()).toContain('The secret of tasks is unavailable')
  })

  it('does not register a provider without a secret in the store', async () => {
    await using server = await startInProcess({
      ...production,
      DATA_DIR: join(directory.path, 'none'),
      SECRETS_COMMAND: await command('[ "$1" != WEBHOOK_SECRET_CODEHOST ] || echo one'),
    })
    expect(server.output()).toMatch(/"left_out":"tasks, messaging, deploy: no secret/)
    expect(server.output()).not.toContain('waiting')
    expect((await fetch(`${server.base}/webhooks/tasks`, { method: 'POST' })).status).toBe(404)
  })

  it('shows which optional secrets the store failed to return', async () => {
    // Regression: tokens of JWT_KEYS were rejected after a restart without a log line.
    await using server = await startInProcess({
      ...production,
      LOG_LEVEL: 'warn',
      DATA_DIR: join(directory.path, 'without-keys'),
      SECRETS_COMMAND: await command('exit 7'),
    })
    const told = 'JWT_KEYS counts as unset: SECRETS_COMMAND failed for JWT_KEYS'
    expect(server.output()).toContain(told)
    const headers = { authorization: `Bearer ${await adminToken(server.base, admin)}` }
    expect(await (await fetch(`${server.base}/ready`, { headers })).text()).toContain(told)
    expect(server.output()).not.toContain('ADMIN_EMAIL is taken')
  })

  it('does not start without the secret of its tokens', async () => {
    const problems = await startProblems({
      NODE_ENV: 'production',
      DATA_DIR: join(directory.path, 'never'),
      SECRETS_COMMAND: await command('exit 9'),
    })
    expect(problems).toEqual(['SECRETS_COMMAND failed for JWT_SECRET: it ended with exit code 9'])
  })
})
