import {
  createGateway,
  createMemoryInbox,
  staticSecrets,
  type Gateway,
  type GatewayOptions,
} from '@sallyport/webhooks'
import { afterEach, expect } from 'vitest'
import { challenged, doorbell, secret } from './doorbell.ts'
import type { Host, Received, Send } from './host.ts'

/** Starts a host with a gateway. */
export type OpenHost = (gateway: Gateway) => Promise<Host>

/**
 * Starts hosts with the gateway of the doorbell and closes them after each test.
 *
 * @param onChunk called with the length of every chunk that has reached the gateway
 */
export type Opener = (options?: Partial<GatewayOptions>, onChunk?: (length: number) => void) => Promise<Send>

/** Creates an createOpener for the tests of the current suite. */
export function createOpener(open: OpenHost): Opener {
  const closing: (() => Promise<void>)[] = []
  afterEach(async () => {
    for (const close of closing.splice(0)) await close()
  })
  return async (options = {}, onChunk) => {
    const gateway = createGateway({
      providers: [doorbell, challenged],
      secrets: staticSecrets({ doorbell: [secret], challenged: [secret] }),
      inbox: createMemoryInbox(),
      ...options,
    } as GatewayOptions)
    const { send, close } = await open(onChunk ? observeChunks(gateway, onChunk) : gateway)
    closing.push(close)
    return send
  }
}

function observeChunks(gateway: Gateway, onChunk: (length: number) => void): Gateway {
  return {
    ...gateway,
    handle: (request) =>
      gateway.handle({
        ...request,
        readBody: (sink) =>
          request.readBody({
            timeoutMs: sink.timeoutMs,
            push(chunk) {
              sink.push(chunk)
              onChunk(chunk.byteLength)
            },
          }),
      }),
  }
}

/** Checks the error envelope of a response and returns its status and code. */
export function readError({ status, headers, text }: Received): [status: number, code: string] {
  expect(headers.get('content-type')).toMatch(/^application\/json/)
  const envelope = JSON.parse(text) as { readonly error: { readonly code: string; readonly message: string } }
  expect(Object.keys(envelope)).toEqual(['error'])
  expect(envelope.error.message).not.toBe('')
  return [status, envelope.error.code]
}
