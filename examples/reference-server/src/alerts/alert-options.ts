import {
  createDiscordAlerts,
  createSlackAlerts,
  createTeamsAlerts,
  type AlertSource,
  type AlertTarget,
} from '@sallyport/webhooks/alerts'
import type { WebhookAlerts } from '@sallyport/webhooks/node'
import { splitSilence } from '../config/provider-settings.ts'
import type { Settings } from '../config/settings.ts'
import { logOutages, type Logger } from '../logging/log.ts'
import type { QueueWatch } from '../webhooks/watch-queue.ts'

export interface AlertsContext {
  readonly settings: Pick<
    Settings,
    | 'ALERT_URLS'
    | 'ALERT_PENDING_SECONDS'
    | 'ALERT_SILENT_FOR'
    | 'ALERT_SILENCE_LEARNED'
    | 'PUBLIC_URL'
    | 'CONSOLE'
  >
  readonly queueWatch: Pick<QueueWatch, 'notices'>
  /** The receiver at OPERATOR_URL. */
  readonly operators: AlertTarget | undefined
  readonly log: Logger
}

const chats = { slack: createSlackAlerts, discord: createDiscordAlerts, teams: createTeamsAlerts } as const

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
    silence: {
      ...splitSilence(settings.ALERT_SILENT_FOR),
      learns: settings.ALERT_SILENCE_LEARNED,
      async describeRetries(name) {
        const { builtInCatalogue } = await import('@sallyport/providers/catalogue')
        const retries = builtInCatalogue.find(({ provider }) => provider.name === name)?.facts?.retries
        return retries === 'unknown' ? undefined : retries
      },
    },
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

/** Finds a shared queue without progress. */
function watchServer({ queueWatch }: Pick<AlertsContext, 'queueWatch'>): AlertSource {
  return {
    name: 'server',
    find: () =>
      Promise.resolve(
        queueWatch.notices().map((text) => ({
          ...{ name: 'queue_stalled', severity: 'error' as const, text },
          title: 'The shared queue makes no progress',
        })),
      ),
  }
}
