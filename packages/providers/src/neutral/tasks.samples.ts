/**
 * Sample deliveries of a task tracker, from those of Todoist.
 *
 * @module
 */
import { createNeutralSamples } from '../neutral-samples.ts'
import recorded from '../services/todoist.samples.json' with { type: 'json' }
import { todoist } from '../services/todoist.ts'
import { tasks } from './tasks.ts'

export const samples = createNeutralSamples(tasks, todoist, recorded)
