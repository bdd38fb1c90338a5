import { openProxy, unusedPort } from '@sallyport/test-support/services'
import { expect, it } from 'vitest'
import { formatUrlOrigin } from '@sallyport/buses'
import { acceptOne } from './accept-one.ts'
import { readiness } from './readiness.ts'
import {
  adminToken,
  publishedEvents,
  getSecrets,
  sendWorkflowRun,
  startServerProcess,
  temporaryDirectory,
} from './server-process.ts'

/** A new bus on a service. */
export interface TestBus {
  /** The address of the bus; its host and port may be replaced by those of a proxy. */
  readonly url: string
  /** Further settings of the server, such as credentials. @default none */
  readonly environment?: Record<string, string>
  /** Returns the ids of the published events, in order. */
  readonly ids: () => Promise<readonly unknown[]>
  /** Expects that the shared queue with the same address is empty. */
  readonly expectEmptyQueue?: () => Promise<void>
  /** Disconnects the consumer of the test. */
  readonly close?: () => Promise<void>
}

export const workflowRun = (id: number) => ({ type: 'workflow_run.completed', payload: { run: id } })

/** Defines the tests of a bus that runs outside of the server. The bus may also be a shared queue. */
export function testBus(open: () => Promise<TestBus>, { hasQueue }: { readonly hasQueue: boolean }): void {
  it('publishes a delivery on the bus that BUS_URL names, once', async () => {
    const bus = await open()
    await using data = await temporaryDirectory()
    await using server = await startServerProcess({
      DATA_DIR: data.path,
      BUS_URL: bus.url,
      ...bus.environment,
    })
    const secrets = await getSecrets(data.path)
    const send = () => sendWorkflowRun(server.base, secrets['WEBHOOK_SECRET_CODEHOST']!, workflowRun(1))
    const { data: first } = await send()
    expect((await send()).data.status).toBe('duplicate')
    const token = await adminToken(server.base, secrets)
    const listed = async () => (await publishedEvents(server.base, token)).map(({ id, route }) => [id, route])
    await expect.poll(listed).toEqual([[first.events[0]!.id, 'direct']])
    expect(await bus.ids()).toEqual([first.events[0]!.id])
    expect(await readiness(server.base, token)).toMatchObject({ dependencies: { inbox: 'ok', bus: 'ok' } })
    expect(server.output()).toContain(`"bus":"${formatUrlOrigin(bus.url)}"`)
    expect(await server.end('SIGTERM')).toBe(0)
    await bus.close?.()
  })

  if (hasQueue) {
    it('publishes events of pilots through the queue that QUEUE_URL names, once', async () => {
      const bus = await open()
      await using data = await temporaryDirectory()
      await using server = await startServerProcess({
        ...{ DATA_DIR: data.path, BUS_URL: bus.url, QUEUE_URL: bus.url, QUEUE_PILOTS: 'codehost' },
      })
      const secrets = await getSecrets(data.path)
      const secret = secrets['WEBHOOK_SECRET_CODEHOST']!
      const ids: string[] = []
      for (const id of [1, 2, 3])
        ids.push((await sendWorkflowRun(server.base, secret, workflowRun(id))).data.events[0]!.id)
      const token = await adminToken(server.base, secrets)
      const listed = async () =>
        (await publishedEvents(server.base, token)).map(({ id, route }) => `${id} ${route}`).sort()
      await expect.poll(listed).toEqual(ids.map((id) => `${id} queue`).sort())
      expect((await bus.ids()).toSorted()).toEqual(ids.toSorted())
      await bus.expectEmptyQueue?.()
      expect(await readiness(server.base, token)).toMatchObject({
        dependencies: { inbox: 'ok', bus: 'ok', queue: 'ok' },
      })
      expect(await server.end('SIGTERM')).toBe(0)
      await bus.close?.()
    })
  }

  it('accepts deliveries while the bus is unavailable, and publishes them later', async () => {
    const bus = await open()
    const port = await unusedPort()
    const url = new URL(bus.url)
    url.host = `127.0.0.1:${port}`
    const names = hasQueue ? ['bus', 'queue'] : ['bus']
    const states = (state: string) => Object.fromEntries(names.map((name) => [name, state]))
    await using data = await temporaryDirectory()
    await using server = await startServerProcess({
      ...{ DATA_DIR: data.path, BUS_URL: url.href, ...bus.environment },
      ...(hasQueue && { QUEUE_URL: url.href, QUEUE_PILOTS: 'codehost' }),
    })
    const { id, token } = await acceptOne(server.base, await getSecrets(data.path), workflowRun(1))
    const notices = names.map((name) => `The ${name} at ${formatUrlOrigin(url.href)} does not answer`)
    await expect
      .poll(() => readiness(server.base, token))
      .toMatchObject({
        status: 'ok',
        dependencies: { inbox: 'ok', ...states('unavailable') },
        notices: notices.map((notice) => expect.stringContaining(notice) as string),
      })
    // The log arrives after the answer of a process under load.
    for (const notice of notices) await expect.poll(() => server.output().split(notice)).toHaveLength(2)
    expect(await publishedEvents(server.base, token)).toEqual([])

    const proxy = await openProxy(bus.url, port)
    const listed = async () => (await publishedEvents(server.base, token)).map(({ id }) => id)
    await expect.poll(listed, { interval: 500 }).toEqual([id])
    expect(await bus.ids()).toEqual([id])
    expect(await readiness(server.base, token)).toMatchObject({
      dependencies: { inbox: 'ok', ...states('ok') },
      notices: [],
    })
    if (url.password !== '') expect(server.output()).not.toContain(url.password)
    expect(await server.end('SIGTERM')).toBe(0)
    await proxy.close()
    await bus.close?.()
  })
}
