import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { secretsFromCommand } from '../src/config/secrets-command.ts'
import { withFallback } from '../src/config/secrets.ts'
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

async function store(script: string, timeoutMs = 10_000) {
  const environment = { PATH: process.env['PATH'], FROM_OUTSIDE: 'seen' }
  return secretsFromCommand({ command: await command(script), leaseMs: 1000, environment, timeoutMs })
}

describe('a store that a command reads', () => {
  it('gets the name as one argument, and prints one secret per line', async () => {
    const secrets = await store('printf "%s\\n%s\\n" "$#-$1" "$FROM_OUTSIDE"')
    expect(secrets.all('A')).toEqual(['1-A', 'seen'])
    expect(await secrets.renew('$(id);B')).toEqual({ values: ['1-$(id);B', 'seen'], leaseMs: 1000 })
  })

  it('does not split a secret without rotation', async () => {
    const secrets = await store('echo " a password, with a comma "')
    expect(secrets.one('ADMIN_PASSWORD')).toBe(' a password, with a comma ')
  })

  it('distinguishes a missing secret from a failing store, without quotes', async () => {
    const empty = await store('exit 0')
    expect([empty.all('A'), empty.one('A'), empty.failure('A')]).toEqual([[], undefined, undefined])
    const broken = await store('echo hunter2; echo hunter2 >&2; exit 3')
    expect(broken.all('A')).toEqual([])
    expect(broken.failure('A')).toBe('SECRETS_COMMAND failed for A: it ended with exit code 3')
    await expect(broken.renew('A')).rejects.toThrow(/^SECRETS_COMMAND failed: it ended with exit code 3$/)
  })

  it('treats an exit code of the command, but not of the shell, as an answer', async () => {
    // Regression: exit code 128, as of "git show", counted as a failure, and the provider stayed unavailable.
    const denied = async (code: number) => {
      const one = await store(`[ "$1" = GIVEN ] && echo given || exit ${code}`)
      return one.all('GIVEN').length === 1 && one.denies('A')
    }
    expect(await Promise.all([1, 125, 128, 193, 255].map(denied))).toEqual([true, true, true, true, true])
    expect(await Promise.all([126, 127, 129, 137, 192].map(denied))).not.toContain(true)
  })

  it('rejects bytes that are not text, without quotes', async () => {
    const random = await store("printf 'hunter2\\376\\377'")
    const why = 'its output is not text in UTF-8: use text, such as the output of "openssl rand -hex 32"'
    expect([random.all('A'), random.fault('A')]).toEqual([[], `SECRETS_COMMAND failed for A: ${why}`])
    await expect(random.renew('A')).rejects.toThrow(`SECRETS_COMMAND failed: ${why}`)
    expect((await store('exit 3')).fault('A')).toBeUndefined()
  })

  it('fails on a timeout and on too much output', async () => {
    const slow = await store('sleep 60 & wait', 300)
    expect(slow.failure('A')).toMatch(/it took too long$/)
    await expect(slow.renew('A')).rejects.toThrow(/it took too long$/)
    const loud = await store('while :; do echo aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa; done')
    expect(loud.all('A')).toEqual([])
    await expect(loud.renew('A')).rejects.toThrow(/it printed too much$/)
  })

  it('is overridden by a fallback that has the secret', async () => {
    const fallback = await store('echo second')
    expect(await withFallback(await store('exit 1'), fallback).renew('A')).toMatchObject({
      values: ['second'],
    })
    expect(await withFallback(await store('exit 0'), fallback).renew('A')).toMatchObject({
      values: ['second'],
    })
    expect(await withFallback(await store('echo first'), fallback).renew('A')).toMatchObject({
      values: ['first'],
    })
    const empty = withFallback(await store('exit 1'), await store('exit 0'))
    await expect(empty.renew('A')).rejects.toThrow(/exit code 1/)
  })
})

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
