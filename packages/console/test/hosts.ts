import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import type { Api } from '@sallyport/rest'
import { createExpressHandler } from '@sallyport/rest/express'
import { createFastifyPlugin } from '@sallyport/rest/fastify'
import { createFetchHandler } from '@sallyport/rest/fetch'
import { createHonoHandler } from '@sallyport/rest/hono'
import { createNodeListener } from '@sallyport/rest/node'
import express from 'express'
import { fastify } from 'fastify'
import { Hono } from 'hono'

/** A host with the console at `/ops/console`. */
export interface Host {
  readonly fetch: (path: string, init?: RequestInit) => Promise<Response>
  readonly close: () => Promise<unknown>
}

const mount = '/ops/console'

async function openServer(server: Server): Promise<Host> {
  if (!server.listening) await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return {
    fetch: (path, init) => fetch(`http://127.0.0.1:${port}${path}`, init),
    close() {
      server.closeAllConnections()
      return Promise.resolve(server.close())
    },
  }
}

export const hosts: Readonly<Record<string, (api: Api) => Promise<Host>>> = {
  'node:http': (api) => openServer(createServer(createNodeListener(api, { mount }))),
  fetch(api) {
    const answer = createFetchHandler(api, { mount })
    return Promise.resolve({
      fetch: (path, init) => answer(new Request(`http://localhost${path}`, init)),
      close: () => Promise.resolve(),
    })
  },
  Express: (api) => openServer(createServer(express().use(mount, createExpressHandler(api)))),
  async Fastify(api) {
    const app = fastify()
    await app.register(createFastifyPlugin(api), { prefix: mount })
    await app.listen({ port: 0, host: '127.0.0.1' })
    return { ...(await openServer(app.server)), close: () => app.close() }
  },
  Hono(api) {
    const { fetch } = new Hono().all(`${mount}/*`, createHonoHandler(api))
    return openServer(serve({ fetch, port: 0, hostname: '127.0.0.1' }) as Server)
  },
}
