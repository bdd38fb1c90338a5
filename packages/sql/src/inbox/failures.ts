/** Failed attempts that are stored per work item: a day of retries makes about 35. */
export const keptFailures = 20
