// The puzzles of the first run and of the lessons, made and checked by
// crates/ricochet-solve/tests/it/lessons.rs.

/** The steps of the first run, with all their shortest solutions. */
export const FIRST_RUN = [
  { line: '5x5..03.R44.tRc44', moves: ['RE RS', 'RS RE'] },
  { line: '5x5.~AS.00.R22.tRt22', moves: ['RS RE'] },
  { line: '5x5.AI.0441.R42.tRs42', moves: ['RE RN'] },
  { line: '5x5..0044.R30.tRh30', moves: ['GN RE'] },
  { line: '6x6.~CIAE.5025.R35.tRc35', moves: ['GN RW RS'] },
];

/** Techniques in the order in which they are taught; each lesson needs that of its group. */
export const GROUPS = /** @type {const} */ ([
  {
    theme: 'wall-at-target',
    example: { line: '4x4.AASQ.33.R22.tRh22', moves: 'RN RW' },
    lessons: [
      { line: '4x4.BM.22.R21.tRh21', moves: 'RN' },
      { line: '4x4.BEQ.30.R21.tRh21', moves: 'RS RW' },
      { line: '5x5.CAAJ.00.R22.tRc22', moves: 'RE RS' },
      { line: '6x6.BAkIC.10.R21.tRh21', moves: 'RW RS RE' },
      { line: '8x8.AEAZ~DQ~AS~Ag.50.R41.tRh41', moves: 'RS RW RN' },
    ],
  },
  {
    theme: 'standing-blocker',
    example: { line: '4x4.BEQ.3003.R02', moves: 'RW RS' },
    lessons: [
      { line: '4x4.EM.2321.G22', moves: 'GS' },
      { line: '5x5.AABM.3004.G20', moves: 'GN GE' },
      { line: '6x6.AAcgAC.2543.G35', moves: 'GS GW' },
      { line: '8x8.I~BEAEAAQAACAAiQ.5155.G00', moves: 'GN GW GN' },
      { line: '1A4A3A2A.e9620398.G12', moves: 'GS GW GN' },
    ],
  },
  {
    theme: 'clear-the-way',
    example: { line: '4x4.ICI.3233.G30', moves: 'RW GN' },
    lessons: [
      { line: '4x4.AASQ.0313.R33', moves: 'GN RE' },
      { line: '5x5.BAQ~AI.1404.G24', moves: 'RN GE' },
      { line: '6x6.IAHIAAgC.5150.G05', moves: 'RW GS GW' },
      { line: '8x8.C~AG~BB~ASCACB.3475.R77', moves: 'RE GW RS' },
      { line: '1A4A3B2B.9ad0f610.G9d', moves: 'GW RE GS' },
    ],
  },
  {
    theme: 'placed-blocker',
    example: { line: '5x5.ACAAQE.1440.G43', moves: 'RE GS' },
    lessons: [
      { line: '5x5.~AEEAI.3012.R20', moves: 'GN RW' },
      { line: '6x6.AQEAwASAAE.0210.R40', moves: 'RN GE RE' },
      { line: '7x7.~EBgAFIQE.3666.G40', moves: 'GN RN GW' },
      { line: '8x8.ACAgAI~ABBCR.7624.R10', moves: 'RW RN GN RE' },
      { line: '1B3A2B4B.b3698ec9.Y91', moves: 'BN YW YN' },
    ],
  },
  {
    theme: 'away-from-target',
    example: { line: '4x4.IAJ.33.R12.tRt12', moves: 'RW RN RE RS' },
    lessons: [
      { line: '4x4.EQAC.30.R11.tRt11', moves: 'RW RS RE RN' },
      { line: '5x5.CABCQ.0440.R24', moves: 'RN RE RS' },
      { line: '6x6.IAIC~AQM.0050.R01', moves: 'RE RS RW' },
      { line: '8x8.AABIAQAAJgI~AIACC.2750.G43', moves: 'GS GW GN GE' },
      { line: '1A2B4B3A.397cbf97.G4d', moves: 'GW GS GE GN' },
    ],
  },
  {
    theme: 'there-and-back',
    example: { line: '5x5.AAICI.4443.G33', moves: 'GW RN GE' },
    lessons: [
      { line: '5x5.CCAM.0212.R03', moves: 'RS GW RN' },
      { line: '6x6.~CCJgg.0555.G54', moves: 'GN RE GS' },
      { line: '7x7.AIAY~ACBCEAQ.1000.G01', moves: 'GS RW GN' },
      { line: '8x8.AQAEAQ~DJIIAIC.5000.G01', moves: 'GS RW GN' },
      { line: '1A3A4A2A.f93ee971.Rda', moves: 'RS BE RN RW' },
    ],
  },
  {
    theme: 'wall-twice',
    example: { line: '5x5.AABAAS.4443.R12', moves: 'GN GW RN RW' },
    lessons: [
      { line: '5x5.CCCAg.0403.G12', moves: 'GN GE RN GW' },
      { line: '6x6.AhIED.1000.G31', moves: 'RE RS GE GS' },
      { line: '7x7.C~AJ~BDEAE.4060.R31', moves: 'RW RS GW RN' },
      { line: '8x8.~DDCABEAB~ACQ.0200.G63', moves: 'RS RE GS GE' },
      { line: '1B2A4B3B.af8dc8fb.Y9b', moves: 'YW YN YW YS YE' },
    ],
  },
  {
    theme: 'blocker-twice',
    example: { line: '5x5.ABgAI.0400.G14', moves: 'GS GE GS GW' },
    lessons: [
      { line: '5x5.AQR.0200.R10', moves: 'RN RE RN RW' },
      { line: '6x6.C~AZB.5525.R24', moves: 'RW RN RW RS' },
      { line: '7x7.C~ABAx~CS.0665.G05', moves: 'GS GW GN GW GS' },
      { line: '8x8.~BBACQgAI~AY~AQ.6703.R02', moves: 'RN RW RN RW RS' },
      { line: '1B3B2A4B.5f4f532a.B6a', moves: 'BS BE BS BW BN' },
    ],
  },
  {
    theme: 'helper-stops-helper',
    example: { line: '6x6.AAgAAIIAp.200205.R13', moves: 'RS BN RW' },
    lessons: [
      { line: '5x5.CAGAI.000203.B42', moves: 'GN BN BE' },
      { line: '6x6.~BDICAIE.202524.G32.tGc32', moves: 'BN GN GE' },
      { line: '7x7.ABJM~AgAgAAG.414046.G61', moves: 'GE BN BE GS' },
      { line: '8x8.IACSB~BYAEAE.076766.B47', moves: 'BW RE BS BE' },
      { line: '1B2A4A3B.0edc4c9a.R36', moves: 'RN BE RE RN RW' },
    ],
  },
  {
    theme: 'goal-robot-blocks',
    example: { line: '5x5.AABEEAQ.0400.G30', moves: 'RN RE RN GE' },
    lessons: [
      { line: '5x5.~ABAQQ.0040.R03', moves: 'GW GS GW RS' },
      { line: '6x6.AAgAQBGAAI.5055.R41', moves: 'GN RW RS RE' },
      { line: '7x7.AgAgAgAEgwQBAQ.6626.R61', moves: 'GE GN GE RN' },
      { line: '8x8.~DkIIAIACBg~AQ.602077.R51', moves: 'GE RS RW RN' },
      { line: '1A3B4A2A.c9e5ec05.Y63', moves: 'GW GN GW YN YE' },
    ],
  },
  {
    theme: 'two-helpers',
    example: { line: '5x5.AABCQ.020001.G04', moves: 'RE BE GS' },
    lessons: [
      { line: '5x5.~ABAQQ.030100.B04', moves: 'RE GE BS' },
      { line: '6x6.AggACQY.455515.G10', moves: 'RN BW GW GN' },
      { line: '8x8.I~CEAkAIAABIAACI.272641.R61', moves: 'GN RN BE RE' },
      { line: '1B3B2A4A.4f0fd96e.Gd6', moves: 'RN GE YN GN GE' },
      { line: '1B3B4A2A.a9fd9e59.Gab', moves: 'GN YE RN GW GS' },
    ],
  },
  {
    theme: 'chain',
    example: { line: '6x6.~BwACAgC.511034.G52', moves: 'GE BE RS GS' },
    lessons: [
      { line: '6x6.AAgAABggI.304052.B20', moves: 'BN RW GW BW' },
      { line: '8x8.~DxIAQ~AgAgACI.770460.R20', moves: 'RW GN BW RN RW' },
      { line: '1A2B4B3B.7907b896.Ba9', moves: 'RE YS BW BS' },
      { line: '1A2B3B4A.e3e642aa.Bdb', moves: 'BE GS RS BS BW' },
      { line: '1B3A2B4A.6f8a306a.G12', moves: 'YW BE YN GW GN GW' },
    ],
  },
]);
