import type { CompleteInbox } from '@sallyport/webhooks'
import {
  createAlerts,
  discordAlerts,
  slackAlerts,
  teamsAlerts,
  watchConsumers,
  watchInbox,
  watchVerification,
  type Alerts,
  type AlertSource,
  type AlertTarget,
} from '@sallyport/webhooks/alerts'
import type { Settings } from '../config/settings.ts'
import type { WebhookSecrets } from '../config/webhook-secrets.ts'
import type { Storage } from '../database/storage.ts'
import type { Engines } from '../engines/open-engines.ts'
import { logOutage, type Logger } from '../logging/log.ts'
import type { Traffic } from '../traffic/open-traffic.ts'
import type { QueueWatch } from '../webhooks/watch-queue.ts'

export interface AlertsContext {
  readonly settings: Pick<Settings, 'ALERT_URLS' | 'ALERT_PENDING_SECONDS' | 'PUBLIC_URL' | 'CONSOLE'>
  readonly stores: Pick<Storage['stores'], 'alerts' | 'consumers'>
  readonly inbox: Pick<CompleteInbox, 'stats'>
  readonly traffic: Traffic['store']
  readonly engines: Pick<Engines, 'outages'>
  readonly secrets: Pick<WebhookSecrets, 'notices'>
  readonly queueWatch: Pick<QueueWatch, 'notices'>
  /** The receiver at OPERATOR_URL. */
  readonly operators: AlertTarget | undefined
  readonly log: Logger
}

const chats = { slack: slackAlerts, discord: discordAlerts, teams: teamsAlerts } as const

/** Opens the alerts to OPERATOR_URL and ALERT_URLS; undefined without both. */
export function openAlerts(context: AlertsContext): Alerts | undefined {
  const { settings, stores, inbox, traffic, operators, log } = context
  const targets = [...(operators ? [operators] : []), ...openChats(settings.ALERT_URLS ?? [])]
  if (targets.length === 0) return undefined
  const limits = { oldestPendingMs: settings.ALERT_PENDING_SECONDS * 1000 }
  return createAlerts({
    store: stores.alerts(),
    targets,
    sources: [
      watchInbox(inbox, limits),
      watchConsumers(stores.consumers(), limits),
      watchVerification(traffic),
      watchServer(context),
    ],
    getLinks: createLinks(settings),
    onError: logErrors(log),
  })
}

function openChats(addresses: NonNullable<Settings['ALERT_URLS']>): readonly AlertTarget[] {
  return addresses.map(({ service, url }, index) => {
    const number = addresses.slice(0, index + 1).filter((one) => one.service === service).length
    return chats[service]({ url, name: number === 1 ? service : `${service}-${number}` })
  })
}

/** Finds the outages that this process sees. */
function watchServer({ engines, secrets, queueWatch }: AlertsContext): AlertSource {
  return {
    name: 'server',
    find: () =>
      Promise.resolve([
        ...engines.outages().map(({ name, text }) => ({
          ...{ name: `${name}_unavailable`, severity: 'error' as const, text },
          title: `The ${name === 'queue' ? 'shared queue' : name} is unavailable`,
        })),
        ...queueWatch.notices().map((text) => ({
          ...{ name: 'queue_stalled', severity: 'error' as const, text },
          title: 'The shared queue makes no progress',
        })),
        ...toFindings(secrets.notices()),
      ]),
  }
}

/** Creates one alert for all secrets, because they come from one store. */
function toFindings(notices: readonly string[]) {
  if (notices.length === 0) return []
  return [
    {
      ...{ name: 'secrets_unavailable', severity: 'error' as const, text: notices.join('\n') },
      title: 'Secrets cannot be renewed',
      level: notices.length,
    },
  ]
}

const pages: Readonly<Record<string, string>> = {
  dead_letters: 'failures',
  quarantine: 'quarantine',
  events_wait: 'deliveries?status=pending',
}

function createLinks({ PUBLIC_URL, CONSOLE }: AlertsContext['settings']) {
  return (name: string) => {
    if (PUBLIC_URL === undefined || !CONSOLE) return undefined
    return [{ label: 'Console', url: `${PUBLIC_URL}/console/${pages[name] ?? 'overview'}` }]
  }
}

/** Logs the failures of each source and target. */
function logErrors(log: Logger) {
  const reports = new Map<string, (error: unknown) => void>()
  return (name: string, error: unknown) => {
    let report = reports.get(name)
    if (report === undefined) {
      report = logOutage(log, `Alerts: ${name} is unavailable, and is tried again`)
      reports.set(name, report)
    }
    report(error)
  }
}
