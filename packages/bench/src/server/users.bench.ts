import { defineHttp, type HttpSide } from '../frame/http.ts'
import { startServer } from '../frame/server-process.ts'
import { openStage, createRequests, useReference, type Stage } from './environment.ts'

const bare = 'Express 5, bare'
const reference = 'reference server'
const nest = 'NestJS on Express'
const fastify = 'Fastify 5 with @fastify/jwt'

const sides: readonly HttpSide<Stage>[] = [
  {
    name: bare,
    does: 'Verifies the token with jose on every request, runs the same query on the same SQLite file with better-sqlite3 on the main thread, and sends JSON with a weak ETag. No session, rate limit, validation beyond Number(), request id, content negotiation or security headers.',
    start: ({ environment }) => startServer(new URL('./peers/express.ts', import.meta.url), environment),
  },
  {
    name: fastify,
    does: 'The same with fast-jwt and a compiled response schema. No ETag.',
    start: ({ environment }) => startServer(new URL('./peers/fastify.ts', import.meta.url), environment),
  },
  {
    name: nest,
    does: 'A controller with a guard that verifies the token with jose, on Express 5, with the same query and a weak ETag. None of the other features of the reference server.',
    start: ({ environment }) => startServer(new URL('./peers/nest.ts', import.meta.url), environment),
  },
  {
    name: reference,
    does: 'The complete server on Express 5: token cached for a minute, session checked every five seconds, rate limit with headers, validation, content negotiation, strong ETag, request id, security headers. SQLite through Kysely: single rows and short pages on the main thread, the total of a list in a worker thread with single-flight.',
    start: useReference,
  },
]

const common = {
  base: bare,
  sides,
  prepare: openStage,
  release: ({ close }: Stage) => close(),
  agree: (body: unknown) => body,
}
const who = '32 connections; 45 callers with a token each; 10,000 users in one SQLite file'

export default [
  defineHttp({
    ...common,
    name: 'get-user',
    what: `\`GET /api/v1/users/{id}\` of 200 different users; ${who}.`,
    requests: (stage) => createRequests(stage, 200, ({ id }) => `/api/v1/users/${id}`),
    target: [
      { side: reference, atLeast: 0.8 },
      { side: reference, than: nest, atLeast: 1 },
    ],
  }),
  defineHttp({
    ...common,
    name: 'list-users',
    what: `\`GET /api/v1/users?page=1&limit=20\`, with the total; ${who}.`,
    requests: (stage) => createRequests(stage, 45, () => '/api/v1/users?page=1&limit=20'),
  }),
]
