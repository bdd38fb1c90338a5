import { createLambdaHandler } from '@sallyport/webhooks/lambda'
import { defineCases, expectEqual } from './case.ts'
import { createClient, doorbell, openGateway, rung, signed, type GatewayRequest } from './doorbell.ts'
import { secret, toBytes } from './fixed.ts'

const open = () => createClient(openGateway([doorbell], [secret]))

/** Sends requests to one gateway in order and returns the statuses and outcomes. */
async function requestAll(
  ...asked: readonly (GatewayRequest | Promise<GatewayRequest>)[]
): Promise<readonly unknown[]> {
  const send = open()
  const outcomes: unknown[] = []
  for (const one of asked) {
    const answer = await send(await one)
    outcomes.push([answer.status, answer.outcome])
  }
  return outcomes
}

const streamed = (size: number): ReadableStream<Uint8Array> => {
  let left = size
  return new ReadableStream({
    pull(controller) {
      if (left > 0) controller.enqueue(new Uint8Array(Math.min(left, 100)))
      else controller.close()
      left -= 100
    },
  })
}

export const gatewayCases = defineCases('webhooks', {
  'the gateway accepts a delivery and detects a duplicate': async () => {
    expectEqual(await requestAll(signed(rung()), signed(rung()), signed(rung('2'))), [
      [200, 'accepted'],
      [200, 'duplicate'],
      [200, 'accepted'],
    ])
  },
  'the gateway ignores an unknown kind and quarantines an invalid payload': async () => {
    expectEqual(await requestAll(signed({ ...rung(), kind: 'polished' }), signed({ kind: 'rung' })), [
      [200, 'ignored'],
      [200, 'quarantined'],
    ])
  },
  'the gateway rejects invalid signatures, then blocks the address': async () => {
    const forged = signed(rung(), undefined, 'another secret')
    expectEqual(await requestAll(forged, { body: toBytes(rung()) }, forged, signed(rung())), [
      [401, 'INVALID_SIGNATURE'],
      [401, 'INVALID_SIGNATURE'],
      [401, 'INVALID_SIGNATURE'],
      [429, 'RATE_LIMITED'],
    ])
  },
  'the gateway quarantines malformed JSON': async () => {
    expectEqual(await requestAll(signed('{"kind":'), signed(`${'['.repeat(400)}${']'.repeat(400)}`)), [
      [200, 'quarantined'],
      [200, 'quarantined'],
    ])
  },
  'the gateway rejects a body over the limit, with and without Content-Length': async () => {
    expectEqual(await requestAll(signed('x'.repeat(1001)), { body: streamed(100_000) }), [
      [413, 'PAYLOAD_TOO_LARGE'],
      [413, 'PAYLOAD_TOO_LARGE'],
    ])
  },
  'the gateway rejects other paths and methods': async () => {
    const send = open()
    expectEqual((await send({ path: '/webhooks/unregistered' })).outcome, 'UNKNOWN_PROVIDER')
    const answer = await send({ method: 'GET' })
    expectEqual([answer.outcome, answer.headers.get('allow')], ['METHOD_NOT_ALLOWED', 'POST, OPTIONS'])
  },
  'the gateway without an inbox answers after the bus has the event': async () => {
    const seen: unknown[] = []
    const send = createClient(
      openGateway([doorbell], [secret], {
        async publish(events) {
          await Promise.resolve()
          seen.push(...events.map(({ id, name, data }) => [id, name, data]))
          return events.map(({ id }) =>
            id.endsWith(':2') ? { ok: false, retryable: true, error: 'unavailable' } : { ok: true },
          )
        },
      }),
    )
    expectEqual((await send(await signed(rung()))).status, 200)
    expectEqual((await send(await signed(rung('2')))).status, 503)
    expectEqual(seen[0], ['doorbell:bell.rung:1', 'doorbell/bell.rung', { door: 'Haustür' }])
  },
})

/** Cases that need the `Buffer` of Node. */
export const lambdaCases = defineCases('webhooks/lambda', {
  'a gateway answers on AWS Lambda': async () => {
    const handler = createLambdaHandler(openGateway([doorbell], [secret]))
    const { body, headers } = await signed(rung())
    const answer = await handler({
      rawPath: '/webhooks/doorbell',
      rawQueryString: '',
      headers: { ...headers },
      requestContext: { http: { method: 'POST', sourceIp: '192.0.2.1' } },
      body: btoa(String.fromCharCode(...(body as Uint8Array))),
      isBase64Encoded: true,
    })
    expectEqual([answer.statusCode, answer.body.includes('accepted')], [200, true])
  },
})
