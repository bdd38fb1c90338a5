import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { defineHttp } from '../frame/http.ts'
import { createEnvironment, startReference } from '../server/environment.ts'
import { createRunLoad, secret } from './delivery.ts'
import { openStage, readOutcome, startPeer, type Stage } from './stage.ts'

const names = {
  reference: 'reference server',
  octokit: '@octokit/webhooks',
  express: 'Express 5 with express.raw',
}

export default defineHttp<Stage>({
  name: 'hosts',
  what: 'Signed deliveries of 21 KB, each with a new event, to complete servers; 64 connections. The compared servers keep nothing, so that there is no target; `webhooks/durable` compares servers that keep deliveries.',
  unit: 'deliveries/s',
  base: names.octokit,
  connections: 64,
  prepare: openStage,
  release: ({ close }) => close(),
  requests: () => [createRunLoad()],
  // The middleware of octokit answers with text.
  agree: (body) => (body === 'ok\n' ? 'accepted' : readOutcome(body)),
  sides: [
    {
      name: names.octokit,
      does: 'Runs createNodeMiddleware on node:http: reads, verifies, parses, and counts the event in a handler. Stores nothing: a crash loses events, and duplicates are handled twice.',
      start: () => startPeer('octokit'),
    },
    {
      name: names.express,
      does: 'Uses express.raw, verify of @octokit/webhooks-methods, JSON.parse. Stores nothing.',
      start: () => startPeer('express'),
    },
    {
      name: names.reference,
      does: 'The complete server, in front of Express: the gateway on SQLite with `synchronous=FULL`, published to the embedded bus in the same file, one log line per delivery and attempt, metrics, request ids.',
      async start({ directory }) {
        const data = await mkdtemp(join(directory, 'server-'))
        return startReference({ ...createEnvironment(data), WEBHOOK_SECRET_CODEHOST: secret })
      },
    },
  ],
})
