import { expect } from '@playwright/test'
import { Secret, TOTP } from 'otpauth'
import { openMailbox } from '../../e2e/mailbox.ts'
import type { OwnerTask } from '../task.ts'

/** Who works here. */
export const TEAM_TASKS: readonly OwnerTask[] = [
  {
    name: 'colleague',
    title: 'Invite a colleague who answers customers',
    way: 'Team → Invite → role Support → Send the invitation',
    ends: 'with the colleague, who comes in by the mail, sees the cases, and not the team',
    async perform(ground) {
      const name = `lena-${ground.mark.toLowerCase()}`
      const email = `${name}@shop.example`
      const owner = await ground.sitDown()
      const { page } = owner
      await owner.go('Team')
      await owner.press('Invite')
      const form = page.getByRole('region', { name: 'Invite' })
      await owner.fill('Email', email, form)
      await owner.fill('Name to sign in with', name, form)
      await owner.choose('Role', 'Support', form)
      await owner.press('Send the invitation', form)
      await owner.prove()
      await owner.see(page.getByRole('row', { name: new RegExp(email) }))
      const other = await ground.window()
      await other.goto(await openMailbox(ground.shopUrl, email).takeLink('/console/invitation'))
      await other.getByLabel('Choose a password').fill('correct horse battery')
      await other.getByRole('button', { name: 'Create my account' }).click()
      await other.getByRole('button', { name: 'Use an authenticator app' }).click()
      const seed = (await other.locator('p.mono').innerText()).replaceAll(' ', '')
      await other
        .getByLabel('Code from your app')
        .fill(new TOTP({ secret: Secret.fromBase32(seed) }).generate())
      await other.getByRole('button', { name: 'Turn it on' }).click()
      await other.getByRole('button', { name: 'I have kept them' }).click()
      await expect(other).toHaveURL(/\/console$/)
      await other.goto('/console/cases')
      await expect(other.getByRole('heading', { level: 1, name: 'Cases' })).toBeVisible()
      await other.goto('/console/people')
      await expect(other.getByText('Your role does not show this')).toBeVisible()
    },
  },
]
