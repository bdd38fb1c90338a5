import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { samples } from '@sallyport/providers/codehost/samples'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildServer } from './built-server.ts'
import {
  adminToken,
  publishedEvents,
  getSecrets,
  sendWorkflowRun,
  startServerProcess,
  temporaryDirectory,
} from './server-process.ts'

const { body: payload } = samples.sample('workflow_run.completed')

let built: Awaited<ReturnType<typeof buildServer>>
beforeAll(async () => {
  built = await buildServer()
}, 60_000)
afterAll(() => built[Symbol.asyncDispose]())

it('publishes a delivery and stops', async () => {
  await using data = await temporaryDirectory()
  await using server = await startServerProcess({ DATA_DIR: data.path }, [built.main])
  const secrets = await getSecrets(data.path)
  const sent = await sendWorkflowRun(server.base, secrets['WEBHOOK_SECRET_CODEHOST']!, payload)
  expect(sent).toMatchObject({ status: 200, data: { status: 'accepted' } })
  const token = await adminToken(server.base, secrets)
  await expect.poll(async () => (await publishedEvents(server.base, token)).length).toBe(1)
  expect(await server.end('SIGTERM')).toBe(0)
})

it.each(['/api/openapi.json', '/api/docs', '/api/redoc', '/'])('answers %s', async (path) => {
  await using data = await temporaryDirectory()
  await using server = await startServerProcess({ DATA_DIR: data.path }, [built.main])
  expect((await fetch(server.base + path)).status).toBe(200)
})

it('contains the modules that are loaded on demand', async () => {
  await using data = await temporaryDirectory()
  await using server = await startServerProcess(
    {
      DATA_DIR: data.path,
      METRICS_PORT: '0',
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
      BUS_URL: 'nats://127.0.0.1:9/EVENTS',
      QUEUE_URL: 'redis://127.0.0.1:9',
      LOG_LEVEL: 'silent',
    },
    // The packages of buses and queues stay apart from it, and may not be built.
    ['--conditions=@sallyport/source', built.main],
  )
  const [, metrics = ''] = /"metrics":"([^"]+)"/.exec(server.output()) ?? []
  expect((await fetch(metrics)).status).toBe(200)
})

it('reads few files until it has answered a delivery', async () => {
  // It once read more than a thousand, which was most of what its start took.
  await using data = await temporaryDirectory()
  const list = join(data.path, 'loaded')
  const spy = `
    import { appendFileSync } from 'node:fs'
    import { registerHooks } from 'node:module'
    registerHooks({
      load(url, context, next) {
        if (url.startsWith('file:')) appendFileSync(${JSON.stringify(list)}, url + '\\n')
        return next(url, context)
      },
    })`
  await using server = await startServerProcess({ DATA_DIR: data.path }, [
    `--import=data:text/javascript,${encodeURIComponent(spy)}`,
    built.main,
  ])
  const { WEBHOOK_SECRET_CODEHOST: secret = '' } = await getSecrets(data.path)
  expect((await sendWorkflowRun(server.base, secret, payload)).status).toBe(200)
  const loaded = (await readFile(list, 'utf8')).trim().split('\n')
  expect(loaded.length).toBeLessThan(80)
  expect(
    loaded.filter((url) => /pino-pretty|\/pg\/|\/(documents|metrics|tracing|postgres)-/.test(url)),
  ).toEqual([])
  expect(loaded.some((url) => url.includes('better-sqlite3'))).toBe(true)
})
