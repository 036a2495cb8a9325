// RUN: chi-opt %s --allow-unregistered-dialect --chi-test-dependence --split-input-file --verify-diagnostics

// A value that is too deep to be followed has no answer, and none has one after
// it: what was seen on the way is not whole.
chi.task @deep (%n: i32) (%i: i32) attributes {axes = ["i"]} {
  %s0 = arith.addi %i, %i : i32 %s1 = arith.addi %s0, %n : i32 %s2 = arith.addi %s1, %n : i32 %s3 = arith.addi %s2, %n : i32 %s4 = arith.addi %s3, %n : i32
  %s5 = arith.addi %s4, %n : i32 %s6 = arith.addi %s5, %n : i32 %s7 = arith.addi %s6, %n : i32 %s8 = arith.addi %s7, %n : i32 %s9 = arith.addi %s8, %n : i32
  %s10 = arith.addi %s9, %n : i32 %s11 = arith.addi %s10, %n : i32 %s12 = arith.addi %s11, %n : i32 %s13 = arith.addi %s12, %n : i32 %s14 = arith.addi %s13, %n : i32
  %s15 = arith.addi %s14, %n : i32 %s16 = arith.addi %s15, %n : i32 %s17 = arith.addi %s16, %n : i32 %s18 = arith.addi %s17, %n : i32 %s19 = arith.addi %s18, %n : i32
  %s20 = arith.addi %s19, %n : i32 %s21 = arith.addi %s20, %n : i32 %s22 = arith.addi %s21, %n : i32 %s23 = arith.addi %s22, %n : i32 %s24 = arith.addi %s23, %n : i32
  %s25 = arith.addi %s24, %n : i32 %s26 = arith.addi %s25, %n : i32 %s27 = arith.addi %s26, %n : i32 %s28 = arith.addi %s27, %n : i32 %s29 = arith.addi %s28, %n : i32
  %s30 = arith.addi %s29, %n : i32 %s31 = arith.addi %s30, %n : i32 %s32 = arith.addi %s31, %n : i32 %s33 = arith.addi %s32, %n : i32 %s34 = arith.addi %s33, %n : i32
  %s35 = arith.addi %s34, %n : i32 %s36 = arith.addi %s35, %n : i32 %s37 = arith.addi %s36, %n : i32 %s38 = arith.addi %s37, %n : i32 %s39 = arith.addi %s38, %n : i32
  %s40 = arith.addi %s39, %n : i32 %s41 = arith.addi %s40, %n : i32 %s42 = arith.addi %s41, %n : i32 %s43 = arith.addi %s42, %n : i32 %s44 = arith.addi %s43, %n : i32
  %s45 = arith.addi %s44, %n : i32 %s46 = arith.addi %s45, %n : i32 %s47 = arith.addi %s46, %n : i32 %s48 = arith.addi %s47, %n : i32 %s49 = arith.addi %s48, %n : i32
  %s50 = arith.addi %s49, %n : i32 %s51 = arith.addi %s50, %n : i32 %s52 = arith.addi %s51, %n : i32 %s53 = arith.addi %s52, %n : i32 %s54 = arith.addi %s53, %n : i32
  %s55 = arith.addi %s54, %n : i32 %s56 = arith.addi %s55, %n : i32 %s57 = arith.addi %s56, %n : i32 %s58 = arith.addi %s57, %n : i32 %s59 = arith.addi %s58, %n : i32
  %s60 = arith.addi %s59, %n : i32 %s61 = arith.addi %s60, %n : i32 %s62 = arith.addi %s61, %n : i32 %s63 = arith.addi %s62, %n : i32 %s64 = arith.addi %s63, %n : i32
  %s65 = arith.addi %s64, %n : i32 %s66 = arith.addi %s65, %n : i32 %s67 = arith.addi %s66, %n : i32 %s68 = arith.addi %s67, %n : i32 %s69 = arith.addi %s68, %n : i32
  %s70 = arith.addi %s69, %n : i32 %s71 = arith.addi %s70, %n : i32 %s72 = arith.addi %s71, %n : i32 %s73 = arith.addi %s72, %n : i32 %s74 = arith.addi %s73, %n : i32
  %s75 = arith.addi %s74, %n : i32 %s76 = arith.addi %s75, %n : i32 %s77 = arith.addi %s76, %n : i32 %s78 = arith.addi %s77, %n : i32 %s79 = arith.addi %s78, %n : i32
  %s80 = arith.addi %s79, %n : i32 %s81 = arith.addi %s80, %n : i32 %s82 = arith.addi %s81, %n : i32 %s83 = arith.addi %s82, %n : i32 %s84 = arith.addi %s83, %n : i32
  %s85 = arith.addi %s84, %n : i32 %s86 = arith.addi %s85, %n : i32 %s87 = arith.addi %s86, %n : i32 %s88 = arith.addi %s87, %n : i32 %s89 = arith.addi %s88, %n : i32
  %s90 = arith.addi %s89, %n : i32 %s91 = arith.addi %s90, %n : i32 %s92 = arith.addi %s91, %n : i32 %s93 = arith.addi %s92, %n : i32 %s94 = arith.addi %s93, %n : i32
  %s95 = arith.addi %s94, %n : i32 %s96 = arith.addi %s95, %n : i32 %s97 = arith.addi %s96, %n : i32 %s98 = arith.addi %s97, %n : i32 %s99 = arith.addi %s98, %n : i32
  %s100 = arith.addi %s99, %n : i32 %s101 = arith.addi %s100, %n : i32 %s102 = arith.addi %s101, %n : i32 %s103 = arith.addi %s102, %n : i32 %s104 = arith.addi %s103, %n : i32
  %s105 = arith.addi %s104, %n : i32
  "ask.axes"(%s50) : (i32) -> () // expected-remark {{i;}}
  // From what is known already it is not far.
  "ask.axes"(%s105) : (i32) -> () // expected-remark {{i;}}
  chi.next
}
chi.task @deeper (%n: i32) (%i: i32) attributes {axes = ["i"]} {
  %s0 = arith.addi %i, %i : i32 %s1 = arith.addi %s0, %n : i32 %s2 = arith.addi %s1, %n : i32 %s3 = arith.addi %s2, %n : i32 %s4 = arith.addi %s3, %n : i32
  %s5 = arith.addi %s4, %n : i32 %s6 = arith.addi %s5, %n : i32 %s7 = arith.addi %s6, %n : i32 %s8 = arith.addi %s7, %n : i32 %s9 = arith.addi %s8, %n : i32
  %s10 = arith.addi %s9, %n : i32 %s11 = arith.addi %s10, %n : i32 %s12 = arith.addi %s11, %n : i32 %s13 = arith.addi %s12, %n : i32 %s14 = arith.addi %s13, %n : i32
  %s15 = arith.addi %s14, %n : i32 %s16 = arith.addi %s15, %n : i32 %s17 = arith.addi %s16, %n : i32 %s18 = arith.addi %s17, %n : i32 %s19 = arith.addi %s18, %n : i32
  %s20 = arith.addi %s19, %n : i32 %s21 = arith.addi %s20, %n : i32 %s22 = arith.addi %s21, %n : i32 %s23 = arith.addi %s22, %n : i32 %s24 = arith.addi %s23, %n : i32
  %s25 = arith.addi %s24, %n : i32 %s26 = arith.addi %s25, %n : i32 %s27 = arith.addi %s26, %n : i32 %s28 = arith.addi %s27, %n : i32 %s29 = arith.addi %s28, %n : i32
  %s30 = arith.addi %s29, %n : i32 %s31 = arith.addi %s30, %n : i32 %s32 = arith.addi %s31, %n : i32 %s33 = arith.addi %s32, %n : i32 %s34 = arith.addi %s33, %n : i32
  %s35 = arith.addi %s34, %n : i32 %s36 = arith.addi %s35, %n : i32 %s37 = arith.addi %s36, %n : i32 %s38 = arith.addi %s37, %n : i32 %s39 = arith.addi %s38, %n : i32
  %s40 = arith.addi %s39, %n : i32 %s41 = arith.addi %s40, %n : i32 %s42 = arith.addi %s41, %n : i32 %s43 = arith.addi %s42, %n : i32 %s44 = arith.addi %s43, %n : i32
  %s45 = arith.addi %s44, %n : i32 %s46 = arith.addi %s45, %n : i32 %s47 = arith.addi %s46, %n : i32 %s48 = arith.addi %s47, %n : i32 %s49 = arith.addi %s48, %n : i32
  %s50 = arith.addi %s49, %n : i32 %s51 = arith.addi %s50, %n : i32 %s52 = arith.addi %s51, %n : i32 %s53 = arith.addi %s52, %n : i32 %s54 = arith.addi %s53, %n : i32
  %s55 = arith.addi %s54, %n : i32 %s56 = arith.addi %s55, %n : i32 %s57 = arith.addi %s56, %n : i32 %s58 = arith.addi %s57, %n : i32 %s59 = arith.addi %s58, %n : i32
  %s60 = arith.addi %s59, %n : i32 %s61 = arith.addi %s60, %n : i32 %s62 = arith.addi %s61, %n : i32 %s63 = arith.addi %s62, %n : i32 %s64 = arith.addi %s63, %n : i32
  %s65 = arith.addi %s64, %n : i32 %s66 = arith.addi %s65, %n : i32 %s67 = arith.addi %s66, %n : i32 %s68 = arith.addi %s67, %n : i32 %s69 = arith.addi %s68, %n : i32
  %s70 = arith.addi %s69, %n : i32 %s71 = arith.addi %s70, %n : i32 %s72 = arith.addi %s71, %n : i32 %s73 = arith.addi %s72, %n : i32 %s74 = arith.addi %s73, %n : i32
  %s75 = arith.addi %s74, %n : i32 %s76 = arith.addi %s75, %n : i32 %s77 = arith.addi %s76, %n : i32 %s78 = arith.addi %s77, %n : i32 %s79 = arith.addi %s78, %n : i32
  %s80 = arith.addi %s79, %n : i32 %s81 = arith.addi %s80, %n : i32 %s82 = arith.addi %s81, %n : i32 %s83 = arith.addi %s82, %n : i32 %s84 = arith.addi %s83, %n : i32
  %s85 = arith.addi %s84, %n : i32 %s86 = arith.addi %s85, %n : i32 %s87 = arith.addi %s86, %n : i32 %s88 = arith.addi %s87, %n : i32 %s89 = arith.addi %s88, %n : i32
  %s90 = arith.addi %s89, %n : i32 %s91 = arith.addi %s90, %n : i32 %s92 = arith.addi %s91, %n : i32 %s93 = arith.addi %s92, %n : i32 %s94 = arith.addi %s93, %n : i32
  %s95 = arith.addi %s94, %n : i32 %s96 = arith.addi %s95, %n : i32 %s97 = arith.addi %s96, %n : i32 %s98 = arith.addi %s97, %n : i32 %s99 = arith.addi %s98, %n : i32
  %s100 = arith.addi %s99, %n : i32 %s101 = arith.addi %s100, %n : i32 %s102 = arith.addi %s101, %n : i32 %s103 = arith.addi %s102, %n : i32 %s104 = arith.addi %s103, %n : i32
  %s105 = arith.addi %s104, %n : i32
  "ask.axes"(%s105) : (i32) -> () // expected-remark {{too deep;}}
  "ask.axes"(%s3) : (i32) -> () // expected-remark {{too deep;}}
  chi.next
}
