import type { GuideStep } from '#features/office/guide/rules.ts'
import { CONSOLE_PATH } from '../routes.ts'

export const stepPath = (step: GuideStep) => `${CONSOLE_PATH}/guide?step=${step}`

/** Another page of the console, which then leads back to this step. @param path below the console, without a query */
export const fromStep = (step: GuideStep, path: string) => `${CONSOLE_PATH}${path}?guide=${step}`
