import { fastify } from 'fastify'
import { once } from 'node:events'
import { Agent, request, type IncomingMessage } from 'node:http'
import { expect, it } from 'vitest'
import { openGateway, rung, signBody } from '../../test/doorbell.ts'
import { createFastifyPlugin } from './index.ts'

it.each([
  ['the prefix', { prefix: '/hooks' }, '/hooks/doorbell'],
  ['/webhooks', {}, '/webhooks/doorbell'],
])('answers deliveries below %s, and leaves other routes to Fastify', async (_, options, url) => {
  const { gateway, observed } = openGateway()
  const app = fastify({ trustProxy: true })
    .register(createFastifyPlugin(gateway), options)
    .post('/echo', ({ body }) => body)
  const headers = { ...(await signBody(rung())), 'x-forwarded-for': '192.0.2.7' }

  const deliver = async (body = Buffer.from(rung())) =>
    await app.inject({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/json', ...headers },
      body,
    })
  const accepted = await deliver()
  expect([accepted.statusCode, accepted.json()]).toMatchObject([200, { data: { status: 'accepted' } }])
  expect((await deliver()).json()).toMatchObject({ data: { status: 'duplicate' } })
  expect((await deliver(Buffer.from('{}'))).statusCode).toBe(401)
  expect(observed.map(({ address }) => address)).toEqual(['192.0.2.7', '192.0.2.7', '192.0.2.7'])

  const echo = await app.inject({ method: 'POST', url: '/echo', payload: { a: 1 } })
  expect(echo.json()).toEqual({ a: 1 })
  expect((await app.inject({ url })).statusCode).toBe(405)
})

it('verifies the bytes that arrive over a socket', async () => {
  const { gateway } = openGateway()
  const app = fastify().register(createFastifyPlugin(gateway))
  const base = await app.listen({ port: 0, host: '127.0.0.1' })
  const body = rung()
  const response = await fetch(`${base}/webhooks/doorbell`, {
    method: 'POST',
    body,
    headers: await signBody(body),
  })
  expect(await response.json()).toMatchObject({ data: { status: 'accepted' } })
  await app.close()
})

it('closes the connection of a delivery that is answered while it closes', { timeout: 20_000 }, async () => {
  const { gateway } = openGateway()
  const received = Promise.withResolvers<undefined>()
  const finish = Promise.withResolvers<undefined>()
  const app = fastify({ keepAliveTimeout: 0 }).register(
    createFastifyPlugin({
      ...gateway,
      async handle(...args) {
        received.resolve(undefined)
        await finish.promise
        return gateway.handle(...args)
      },
    }),
  )
  const base = await app.listen({ port: 0, host: '127.0.0.1' })
  const agent = new Agent({ keepAlive: true })
  const sent = request(`${base}/webhooks/doorbell`, { method: 'POST', agent }).end('{}')
  const answered = once(sent, 'response')
  await received.promise
  const closed = app.close()
  await expect.poll(() => app.server.listening).toBe(false)
  finish.resolve(undefined)
  const [response] = (await answered) as [IncomingMessage]
  response.resume()
  expect(response.statusCode).toBe(401)
  await closed
})
