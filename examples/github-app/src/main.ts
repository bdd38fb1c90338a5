import { github } from '@sallyport/providers/github'
import { reconcileGithub } from '@sallyport/providers/reconcile'
import { openSqlite } from '@sallyport/sql/sqlite'
import type { WebhookEvent } from '@sallyport/webhooks'
import { createWebhooks } from '@sallyport/webhooks/node'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createAppToken } from './app-token.ts'

const { WEBHOOK_SECRET_GITHUB, GITHUB_APP_CLIENT_ID = '', GITHUB_APP_PRIVATE_KEY = '' } = process.env
const { GITHUB_API_URL = 'https://api.github.com', PORT = '3111', DATABASE = 'github-app.db' } = process.env

/** Returns the installation of the app that an event belongs to. */
function getInstallation({ data }: WebhookEvent): string | undefined {
  const { installation } = Object(data) as { readonly installation?: { readonly id: number } }
  return installation?.id.toString()
}

const webhooks = createWebhooks({
  // Has the events and the position of the last run.
  database: await openSqlite({ path: DATABASE }),
  providers: [github],
  secrets: { github: WEBHOOK_SECRET_GITHUB },
  // The events of one installation are handled in order, and delay no other installation.
  lane: getInstallation,
  on: {
    'github/workflow_run.completed': (event) => {
      console.log(getInstallation(event), event.name, event.id)
    },
  },
  reconcile: {
    sources: [
      reconcileGithub({
        hook: { app: true },
        baseUrl: GITHUB_API_URL,
        token: createAppToken(GITHUB_APP_CLIENT_ID, GITHUB_APP_PRIVATE_KEY),
      }),
    ],
  },
})
webhooks.start()

const server = createServer(webhooks.node).listen(Number(PORT), () => {
  const { port } = server.address() as AddressInfo
  console.log(`http://localhost:${port}/webhooks/github`)
})
