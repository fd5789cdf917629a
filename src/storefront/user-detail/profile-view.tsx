import { useState } from 'react'
import { AddressText } from '#ui/address-text.tsx'
import { Avatar } from '#ui/avatar.tsx'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { KeyValues } from '#ui/entry-row.tsx'
import { SelectField, TextField } from '#ui/field.tsx'
import { Note } from '#ui/note.tsx'
import { Panel } from '#ui/panel.tsx'
import { UploadField } from '#ui/upload-field.tsx'
import { CallForm } from '../forms/call-form.tsx'
import { Refusal } from '../forms/code-sent.tsx'
import { useHref, useT } from '../i18n.tsx'
import { forms } from './forms.ts'
import { PhoneStep } from './phone-view.tsx'
import type { ProfileData } from './profile.ts'

export function ProfileSection({ data }: { readonly data: ProfileData }) {
  if (data.step === 'phone') return <PhoneStep data={data} />
  return (
    <>
      <PicturePanel data={data} />
      <ProfilePanel data={data} />
      <ContactPanel data={data} />
    </>
  )
}

function PicturePanel({ data }: { readonly data: ProfileData }) {
  const t = useT()
  // A picture sent becomes the current one; the field must then forget the file it showed.
  const [sent, setSent] = useState(0)
  return (
    <Panel title={t('account.picture')}>
      <CallForm
        key={sent}
        name="savePicture"
        form={forms.savePicture}
        takesFile
        className="stack"
        onDone={() => setSent(sent + 1)}
      >
        {(view) => (
          <>
            <Refusal view={view} />
            <UploadField
              id="image"
              name="image"
              label={t('account.pictureChoose')}
              hint={t('account.pictureHint')}
              error={view.outcome?.faults['image']}
              accept="image/png,image/jpeg,image/webp"
              current={
                <Avatar
                  name={data.nickname}
                  picture={data.picture ?? undefined}
                  size="large"
                  strong
                />
              }
            />
            <div className="row">
              <Button type="submit" look="solid" busy={view.busy}>
                {t('account.pictureSave')}
              </Button>
              {data.picture === null ? null : (
                <Button type="submit" form="remove-picture" look="ghost">
                  {t('account.pictureRemove')}
                </Button>
              )}
            </div>
          </>
        )}
      </CallForm>
      <CallForm id="remove-picture" name="removePicture" form={forms.removePicture}>
        {(view) => <Refusal view={view} />}
      </CallForm>
    </Panel>
  )
}

function ProfilePanel({ data }: { readonly data: ProfileData }) {
  const t = useT()
  return (
    <Panel title={t('account.profileTitle')}>
      <CallForm name="saveProfile" form={forms.saveProfile} className="stack-l">
        {(view) => (
          <>
            <Refusal view={view} />
            {view.outcome?.isDone ? (
              <Note tone="ok" role="status">
                {t('form.saved')}
              </Note>
            ) : null}
            <div className="two">
              <TextField
                id="nickname"
                label={t('account.nickname')}
                hint={t('account.nicknameHint')}
                autoComplete="nickname"
                maxLength={40}
                required
                {...view.field('nickname', data.nickname)}
              />
              <TextField
                id="username"
                label={t('account.userName')}
                hint={t('account.userNameHint')}
                autoComplete="username"
                autoCapitalize="none"
                spellCheck={false}
                dir="ltr"
                maxLength={32}
                required
                {...view.field('username', data.userName)}
              />
              <SelectField
                id="language"
                label={t('account.language')}
                {...view.field('language', data.language)}
              >
                {data.languages.map(({ code, tag, name }) => (
                  <option key={code} value={code} lang={tag}>
                    {name}
                  </option>
                ))}
              </SelectField>
            </div>
            <div>
              <Button type="submit" look="solid" busy={view.busy}>
                {t('form.save')}
              </Button>
            </div>
          </>
        )}
      </CallForm>
    </Panel>
  )
}

function ContactPanel({ data }: { readonly data: ProfileData }) {
  const t = useT()
  const href = useHref()
  const items = [
    {
      label: t('account.email'),
      value: <AddressText>{data.email}</AddressText>,
      action: (
        <a className="link" href={href('/change-email')}>
          {t('account.changeEmail')}
        </a>
      ),
    },
    {
      label: t('account.mobile'),
      value:
        data.mobile === null ? (
          <span className="muted">{t('account.mobileNone')}</span>
        ) : (
          <span className="row">
            <bdi dir="ltr">{data.mobile}</bdi>
            <Badge tone="ok">{t('account.mobileVerified')}</Badge>
          </span>
        ),
      // A number that is there can be taken away in any case.
      action:
        data.mobile === null && !data.canAddMobile ? undefined : (
          <a className="link" href={href('/userDetail?do=phone')}>
            {data.mobile === null ? t('account.mobileAdd') : t('account.mobileChange')}
          </a>
        ),
    },
    {
      label: t('account.uid'),
      value: <span className="num">{data.uid}</span>,
      note: t('account.uidHint'),
    },
    { label: t('account.registered'), value: data.registered },
  ]
  return (
    <Panel title={t('account.contact')}>
      <KeyValues items={items} />
    </Panel>
  )
}
