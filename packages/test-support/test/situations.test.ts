import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('suites', import.meta.url))
const vitest = fileURLToPath(new URL('vitest.mjs', import.meta.resolve('vitest/package.json')))
// No server listens on port 9, the discard port.
const nowhere = 'postgres://postgres:a-secret@127.0.0.1:9/postgres'

interface Outcome {
  readonly passed: boolean
  readonly stdout: string
  readonly stderr: string
}

/** Runs one of the suites in a separate process. */
function run(suite: string, env: NodeJS.ProcessEnv): Promise<Outcome> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [vitest, 'run', suite],
      {
        cwd: root,
        env: { ...process.env, NO_COLOR: '1', REQUIRE_SERVICES: '0', SKIP_SERVICES: '0', ...env },
      },
      (error, stdout, stderr) => {
        const [out, err] = [stdout, stderr].map(stripVTControlCharacters)
        resolve({ passed: error === null, stdout: out ?? '', stderr: err ?? '' })
      },
    )
  })
}

describe.concurrent('a suite that needs a service', () => {
  it('is skipped with a message if PostgreSQL does not answer', async () => {
    const { passed, stdout, stderr } = await run('postgres', { TEST_POSTGRES_URL: nowhere })
    expect(passed).toBe(true)
    expect(stdout).toMatch(/Tests +1 skipped/)
    expect(stderr).toContain('SKIPPED postgres.suite.ts: it needs PostgreSQL: it does not answer (')
    expect(stderr).toContain('ECONNREFUSED')
    expect(stderr).toContain('TEST_POSTGRES_URL')
    expect(stdout + stderr).not.toContain('a-secret')
  })

  it('is skipped with a message if NATS does not answer', async () => {
    const { passed, stdout, stderr } = await run('nats', { TEST_NATS_URL: 'nats://127.0.0.1:9' })
    expect(passed).toBe(true)
    expect(stdout).toMatch(/Tests +1 skipped/)
    expect(stderr).toContain('SKIPPED nats.suite.ts: it needs NATS: it does not answer (')
    expect(stderr).toContain('TEST_NATS_URL')
  })

  it('is skipped with a message if Redis does not answer', async () => {
    const { passed, stdout, stderr } = await run('redis', { TEST_REDIS_URL: 'redis://:a-secret@127.0.0.1:9' })
    expect(passed).toBe(true)
    expect(stdout).toMatch(/Tests +1 skipped/)
    expect(stderr).toContain('SKIPPED redis.suite.ts: it needs Redis: it does not answer (')
    expect(stderr).toContain('ECONNREFUSED')
    expect(stderr).toContain('TEST_REDIS_URL')
    expect(stdout + stderr).not.toContain('a-secret')
  })

  it('is skipped with a message if RabbitMQ does not answer', async () => {
    const { passed, stdout, stderr } = await run('rabbitmq', {
      TEST_RABBITMQ_URL: 'amqp://user:a-secret@127.0.0.1:9',
    })
    expect(passed).toBe(true)
    expect(stdout).toMatch(/Tests +1 skipped/)
    expect(stderr).toContain('SKIPPED rabbitmq.suite.ts: it needs RabbitMQ: it does not answer (')
    expect(stderr).toContain('ECONNREFUSED')
    expect(stderr).toContain('TEST_RABBITMQ_URL')
    expect(stdout + stderr).not.toContain('a-secret')
  })

  it('fails if services are required', async () => {
    const env = { TEST_POSTGRES_URL: nowhere, REQUIRE_SERVICES: '1' }
    const { passed, stdout, stderr } = await run('postgres', env)
    expect(passed).toBe(false)
    expect(stderr).toContain('This suite needs PostgreSQL: it does not answer (')
    expect(stdout + stderr).not.toContain('a-secret')
  })
})

describe.concurrent('a suite that needs another program', () => {
  it('receives the program that was found', async () => {
    const { passed, stdout } = await run('needing', { TEST_UNICORN: 'white', REQUIRE_SERVICES: '1' })
    expect(passed).toBe(true)
    expect(stdout).toMatch(/Tests +2 passed/)
  })

  it('is skipped with a message without the program', async () => {
    const { passed, stdout, stderr } = await run('needing', {})
    expect(passed).toBe(true)
    expect(stdout).toMatch(/Tests +2 skipped/)
    expect(stderr).toContain('SKIPPED needing.suite.ts: it needs a unicorn: this machine has none')
    expect(stderr).toContain('look for one')
  })

  it('fails without the program only with requiredWithServices', async () => {
    const { passed, stdout, stderr } = await run('needing', { REQUIRE_SERVICES: '1' })
    expect(passed).toBe(false)
    expect(stdout).toMatch(/Tests +1 failed \| 1 skipped/)
    expect(stderr).toContain('This suite needs a horse')
    expect(stderr).toContain('SKIPPED needing.suite.ts: it needs a unicorn')
  })
})
