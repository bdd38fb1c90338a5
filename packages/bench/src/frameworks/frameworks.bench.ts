import { pathToFileURL } from 'node:url'
import { defineHttp, type HttpSide } from '../frame/http.ts'
import { startServer } from '../frame/server-process.ts'
import { bundlePrograms, locateBundle, type Bundles } from './programs.ts'

const side = (program: string, name: string, does: string): HttpSide<Bundles> => ({
  name,
  does,
  start: (bundles) => startServer(pathToFileURL(locateBundle(bundles, program)), {}),
})

const ours = '@sallyport/rest'
const python = process.env['BENCH_PYTHON']

const sides = [
  side(
    'sallyport',
    ours,
    'A listener of node:http; request id, security headers, content negotiation, strict JSON and query, no rate limit. Strips undeclared fields of responses.',
  ),
  side('hono', 'Hono zod-openapi', 'With @hono/node-server. Does not validate responses at run time.'),
  side('nest', 'NestJS 12', 'Express, with the pipe and the serializer for Standard Schemas.'),
  side('orpc', 'oRPC', 'The OpenAPI handler on node:http. Validates responses.'),
  side('elysia', 'Elysia', 'The adapter for Node.js; Elysia is made for Bun. Validates responses.'),
  ...(python === undefined
    ? []
    : [
        {
          name: 'FastAPI',
          does: 'One process of uvicorn. Validates responses.',
          start: () => startServer(new URL('./programs/books_fastapi.py', import.meta.url), {}, [python]),
        },
      ]),
]

const common = {
  base: ours,
  sides,
  prepare: bundlePrograms,
  release: ({ remove }: Bundles) => remove(),
  // The envelope of this repository.
  agree: (body: unknown) => (body as { readonly data?: unknown }).data ?? body,
}
const book = { title: 'Emma', author: 'Jane Austen', year: 1815 }

export default [
  defineHttp({
    ...common,
    name: 'list-books',
    what: '`GET /books?limit=20` of an API with a validated query; 32 connections. FastAPI needs `BENCH_PYTHON`, a Python with fastapi and uvicorn[standard].',
    requests: () => [{ path: '/books?limit=20' }],
  }),
  defineHttp({
    ...common,
    name: 'create-book',
    what: '`POST /books` with a validated body that allows no other fields; 32 connections.',
    requests: () => [
      {
        path: '/books',
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(book),
      },
    ],
  }),
]
