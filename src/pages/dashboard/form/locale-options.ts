import type { Option } from './fields.tsx'

/**
 * The languages of Unicode's CLDR with the regions that it has formats for. `Intl` can say whether it has a locale, but
 * does not list them.
 */
const known = `
  af-NA/ZA agq-CM ak-GH am-ET
  ar-AE/BH/DJ/DZ/EG/EH/ER/IL/IQ/JO/KM/KW/LB/LY/MA/MR/OM/PS/QA/SA/SD/SO/SS/SY/TD/TN/YE as-IN asa-TZ ast-ES
  az-AZ ba-RU bas-CM be-BY bem-ZM bez-TZ bg-BG bgc-IN bho-IN blo-BJ bm-ML bn-BD/IN bo-CN/IN br-FR brx-IN bs-BA
  bua-RU ca-AD/ES/FR/IT ccp-BD/IN ce-RU ceb-PH cgg-UG chr-US ckb-IQ/IR cs-CZ csw-CA cv-RU cy-GB da-DK/GL
  dav-KE de-AT/BE/CH/DE/IT/LI/LU dje-NE doi-IN dsb-DE dua-CM dyo-SN dz-BT ebu-KE ee-GH/TG el-CY/GR
  en-AE/AG/AI/AS/AT/AU/BB/BE/BI/BM/BS/BW/BZ/CA/CC/CH/CK/CM/CX/CY/CZ/DE/DG/DK/DM/EE/ER/ES/FI/FJ
  en-FK/FM/FR/GB/GD/GE/GG/GH/GI/GM/GS/GU/GY/HK/HU/ID/IE/IL/IM/IN/IO/IT/JE/JM/JP/KE/KI/KN/KY/LC
  en-LR/LS/LT/LV/MG/MH/MO/MP/MS/MT/MU/MV/MW/MY/NA/NF/NG/NL/NO/NR/NU/NZ/PG/PH/PK/PL/PN/PR/PT/PW
  en-RO/RW/SB/SC/SD/SE/SG/SH/SI/SK/SL/SS/SX/SZ/TC/TK/TO/TT/TV/TZ/UA/UG/UM/US/VC/VG/VI/VU/WS/ZA/ZM/ZW
  es-AR/BO/BR/BZ/CL/CO/CR/CU/DO/EA/EC/ES/GQ/GT/HN/IC/MX/NI/PA/PE/PH/PR/PY/SV/US/UY/VE et-EE eu-ES ewo-CM
  fa-AF/IR ff-BF/CM/GH/GM/GN/GW/LR/MR/NE/NG/SL/SN fi-FI fil-PH fo-DK/FO
  fr-BE/BF/BI/BJ/BL/CA/CD/CF/CG/CH/CI/CM/DJ/DZ/FR/GA/GF/GN/GP/GQ/HT/KM/LU/MA/MC/MF/MG/ML/MQ/MR
  fr-MU/NC/NE/PF/PM/RE/RW/SC/SN/SY/TD/TG/TN/VU/WF/YT fur-IT fy-NL ga-GB/IE gaa-GH gd-GB gl-ES gsw-CH/FR/LI
  gu-IN guz-KE gv-IM ha-GH/NE/NG haw-US he-IL hi-IN hr-BA/HR hsb-DE hu-HU hy-AM id-ID ie-EE ig-NG ii-CN is-IS
  it-CH/IT/SM/VA ja-JP jgo-CM jmc-TZ jv-ID ka-GE kab-DZ kam-KE kde-TZ kea-CV kgp-BR khq-ML ki-KE kk-CN/KZ
  kkj-CM kl-GL kln-KE km-KH kn-IN ko-CN/KP/KR kok-IN ks-IN ksb-TZ ksf-CM ksh-DE ku-IQ/SY/TR kw-GB kxv-IN ky-KG
  lb-LU lg-UG lij-IT lmo-IT ln-AO/CD/CF/CG lo-LA lrc-IQ/IR lt-LT lu-CD luo-KE luy-KE lv-LV mai-IN mas-KE/TZ
  mer-KE mfe-MU mg-MG mgh-MZ mi-NZ mk-MK ml-IN mn-MN mni-IN mr-IN ms-BN/ID/MY/SG mt-MT mua-CM my-MM mzn-IR
  naq-NA nd-ZW nds-DE/NL ne-IN/NP nl-AW/BE/BQ/CW/NL/SR/SX nmg-CM nn-NO nnh-CM no-NO nqo-GN nso-ZA nus-SS
  nyn-UG oc-ES/FR om-ET/KE or-IN os-GE/RU pa-IN/PK pcm-NG pl-PL pms-IT prg-PL ps-AF/PK
  pt-AO/BR/CH/CV/GQ/GW/LU/MO/MZ/PT/ST/TL qu-BO/EC/PE raj-IN rm-CH rn-BI ro-MD/RO rof-TZ ru-BY/KG/KZ/MD/RU/UA
  rw-RW rwk-TZ sa-IN sah-RU saq-KE sat-IN sbp-TZ sc-IT scn-IT sd-IN/PK se-FI/NO/SE seh-MZ ses-ML sg-CF shi-MA
  shn-MM/TH si-LK sk-SK sl-SI smn-FI sn-ZW so-DJ/ET/KE/SO sq-AL/MK/XK sr-BA/ME/RS/XK st-LS/ZA su-ID
  sv-AX/FI/SE sw-CD/KE/TZ/UG syr-IQ/SY szl-PL ta-IN/LK/MY/SG te-IN teo-KE/UG tg-TJ th-TH ti-ER/ET tk-TM
  tn-BW/ZA to-TO tr-CY/TR tt-RU twq-NE tyv-RU tzm-MA ug-CN uk-UA ur-IN/PK uz-AF/UZ vai-LR vec-IT vi-VN vmw-MZ
  vun-TZ wae-CH wo-SN xh-ZA xnr-IN xog-UG yav-CM yi-UA yo-BJ/NG yrl-BR/CO/VE yue-CN/HK/MO zgh-MA
  zh-CN/HK/MO/MY/SG/TW zu-ZA
`
const knownTags = known
  .trim()
  .split(/\s+/)
  .flatMap((entry) => {
    const [language, regions = ''] = entry.split('-')
    return regions.split('/').map((region) => `${language}-${region}`)
  })

/** All locales that the browser can format in, by name: "German (Austria) – de-AT". */
export function localeOptions(current: string): readonly Option[] {
  options ??= listOptions()
  return options.some(({ value }) => value === current) ? options : [optionOf(current), ...options]
}

let options: readonly Option[] | undefined
const listOptions = () =>
  Intl.NumberFormat.supportedLocalesOf(knownTags)
    .map(optionOf)
    .sort((one, other) => one.name.localeCompare(other.name, 'en'))

const names = new Intl.DisplayNames('en', { type: 'language', languageDisplay: 'standard' })
const optionOf = (tag: string): Option => ({ value: tag, name: `${names.of(tag)} – ${tag}` })

/** How a locale writes money and days: "1.234,50 € · 10.03.2026". */
export function localeExample(tag: string, currency: string): string {
  const money = new Intl.NumberFormat(tag, { style: 'currency', currency }).format(1_234.5)
  return `${money} · ${new Intl.DateTimeFormat(tag, { dateStyle: 'medium' }).format(new Date())}`
}

/** The locale of the browser if the list has it; a new program begins with it. */
export const ownLocale = (): string => knownTags.find((tag) => tag === navigator.language) ?? 'en-US'
