import {
  discordAlerts,
  slackAlerts,
  teamsAlerts,
  type AlertSource,
  type AlertTarget,
} from '@sallyport/webhooks/alerts'
import type { WebhookAlerts } from '@sallyport/webhooks/node'
import type { LeasedSecrets } from '@sallyport/webhooks/secret-stores'
import type { Settings } from '../config/settings.ts'
import type { Engines } from '../engines/open-engines.ts'
import { logOutages, type Logger } from '../logging/log.ts'
import type { QueueWatch } from '../webhooks/watch-queue.ts'

export interface AlertsContext {
  readonly settings: Pick<Settings, 'ALERT_URLS' | 'ALERT_PENDING_SECONDS' | 'PUBLIC_URL' | 'CONSOLE'>
  readonly engines: Pick<Engines, 'outages'>
  readonly secrets: Pick<LeasedSecrets, 'notices'>
  readonly queueWatch: Pick<QueueWatch, 'notices'>
  /** The receiver at OPERATOR_URL. */
  readonly operators: AlertTarget | undefined
  readonly log: Logger
}

const chats = { slack: slackAlerts, discord: discordAlerts, teams: teamsAlerts } as const

/** Opens the receivers at OPERATOR_URL and ALERT_URLS; undefined without both. */
export function openAlertOptions(context: AlertsContext): WebhookAlerts | undefined {
  const { settings, operators, log } = context
  const targets = [...(operators ? [operators] : []), ...openChats(settings.ALERT_URLS ?? [])]
  if (targets.length === 0) return undefined
  const report = logOutages(log)
  return {
    targets,
    oldestPendingMs: settings.ALERT_PENDING_SECONDS * 1000,
    sources: [watchServer(context)],
    ...(settings.PUBLIC_URL !== undefined &&
      settings.CONSOLE && { consoleUrl: `${settings.PUBLIC_URL}/console` }),
    onError: (name, error) => {
      report(`Alerts: ${name} is unavailable, and is tried again`, error)
    },
  }
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
