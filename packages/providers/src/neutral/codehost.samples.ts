/**
 * Sample deliveries of a code host, from those of GitHub.
 *
 * @module
 */
import { createNeutralSamples } from '../neutral-samples.ts'
import recorded from '../services/github.samples.json' with { type: 'json' }
import { github } from '../services/github.ts'
import { codehost } from './codehost.ts'

export const samples = createNeutralSamples(codehost, github, recorded, {
  id: ['workflow_run.id', 'package.package_version.id'],
  time: ['workflow_run.updated_at', 'package.package_version.created_at'],
})
