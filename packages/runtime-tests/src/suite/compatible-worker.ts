import { compatibleCases } from './compatible.ts'
import { workerOf } from './worker.ts'

export default workerOf(compatibleCases)
