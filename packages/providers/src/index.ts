// Generated from the folders by `npm run generate -w packages/providers`.

/**
 * All providers of this package. Each provider also has its own entry.
 *
 * @module
 */
import type { AnyProvider } from '@sallyport/webhooks'
import { codehost } from './codehost/index.ts'
import { deploy } from './deploy/index.ts'
import { front } from './front/index.ts'
import { frontApplication } from './front-application/index.ts'
import { github } from './github/index.ts'
import { messaging } from './messaging/index.ts'
import { payments } from './payments/index.ts'
import { stripe } from './stripe/index.ts'
import { tasks } from './tasks/index.ts'
import { todoist } from './todoist/index.ts'
import { typeform } from './typeform/index.ts'
import { vercel } from './vercel/index.ts'

/** All providers, sorted by name. */
export const builtInProviders: readonly AnyProvider[] = [
  codehost,
  deploy,
  front,
  frontApplication,
  github,
  messaging,
  payments,
  stripe,
  tasks,
  todoist,
  typeform,
  vercel,
]
